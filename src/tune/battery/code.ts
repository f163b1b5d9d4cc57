import type { Dice } from '../dice.ts'
import { define } from './task.ts'
import { coding, words, writeFile } from './tools.ts'

/** Files to be written word for word: what agents do all day, and what breaks most formats. */

function write(dice: Dice, ending: string, content: string) {
  const path = `${dice.pick(words)}.${ending}`
  return {
    says: `Write the file ${path} with exactly this content, and do nothing else:\n\n${content}`,
    tools: coding,
    calls: [{ name: writeFile.name, arguments: { path, content } }],
  }
}

export const ofCode = define('code', {
  python: (dice) =>
    write(
      dice,
      'py',
      `import re\n\n\ndef ${dice.pick(words)}(text: str, limit: int = ${dice.whole(2, 99)}) -> list[str]:\n    """Split "text" at 'commas'."""\n    parts = [part.strip() for part in re.split(r",\\s*", text) if part]\n    if len(parts) > limit:\n        raise ValueError(f"too many: {len(parts)}")\n    return parts\n\n\nif __name__ == "__main__":\n    print(*parts("a, b,\\tc"), sep="\\n")\n`,
    ),
  typescript: (dice) =>
    write(
      dice,
      'ts',
      `export interface Row<T extends object> {\n  readonly id: number\n  readonly value: T | undefined\n}\n\n/** At most ${dice.whole(2, 99)} rows. */\nexport const print = <T extends object>(rows: readonly Row<T>[]): string =>\n  rows\n    .filter(({ id }) => id >= 0 && id !== 7)\n    .map(({ id, value }) => \`\${id}: \${JSON.stringify(value ?? {})}\`)\n    .join('\\n')\n`,
    ),
  html: (dice) =>
    write(
      dice,
      'html',
      `<!doctype html>\n<html lang="en">\n  <head>\n    <title>${dice.pick(words)} &amp; more</title>\n    <style>p > b { color: #${dice.whole(100, 999)}; }</style>\n  </head>\n  <body>\n    <p class='x'>1 < 2 &lt; 3</p>\n    <script>if (a < b && c > d) alert("hi")</script>\n  </body>\n</html>\n`,
    ),
  json: (dice) =>
    write(
      dice,
      'json',
      `{\n  "name": "${dice.pick(words)}",\n  "port": ${dice.whole(1_000, 9_999)},\n  "pattern": "^\\\\d+\\\\.txt$",\n  "nested": { "list": [1, 2.5, null, true], "quote": "say \\"hi\\"" }\n}\n`,
    ),
  shell: (dice) =>
    write(
      dice,
      'sh',
      `#!/bin/sh\nset -eu\nfor file in "$@"; do\n  lines=$(wc -l < "$file")\n  if [ "$lines" -gt ${dice.whole(10, 99)} ] && ! grep -q '^#' "$file"; then\n    printf '%s\\t%s\\n' "$file" "$lines" | sed 's/\\.txt//g'\n  fi\ndone\n`,
    ),
  markdown: (dice) =>
    write(
      dice,
      'md',
      `# ${dice.pick(words)}\n\nRun it:\n\n\`\`\`sh\nnpm start -- --port ${dice.whole(1_000, 9_999)}\n\`\`\`\n\n| key | value |\n|---|---|\n| \`a\` | **1** |\n\n> "Quoted", with a [link](https://example.com/?a=1&b=2).\n`,
    ),
})
