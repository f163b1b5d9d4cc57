import { writeFileSync } from 'node:fs'
import { compareBytes } from './bytes.ts'
import { compareCutting, compareFormats, compareLength } from './calls.ts'
import { compareJson } from './json.ts'
import { versionOf } from './peers.ts'

/** Other libraries and ours on the same texts: `npx node bench/libraries/compare.ts`. With `--markdown` it writes docs/comparison.md. */
const sections = [
  await compareFormats(),
  await compareCutting(),
  await compareLength(),
  await compareJson(),
  await compareBytes(),
]

const page = `# Side by side

Libraries that people use to get tool calls out of a model's text, and this one, on the same texts. Made by \`npx node bench/libraries/compare.ts --markdown\`
with \`@ai-sdk-tool/parser\` ${versionOf('@ai-sdk-tool/parser')}, \`partial-json\` ${versionOf('partial-json')}, \`best-effort-json-parser\` ${versionOf('best-effort-json-parser')} and \`jsonrepair\`
${versionOf('jsonrepair')}, on Node ${process.versions.node}. Times are of one machine; look at how they grow, not at what they are.

${sections.join('\n')}
## Where the others are better

- **Size.** \`partial-json\` and \`best-effort-json-parser\` are a few kB. If your model writes one JSON object and nothing else, you don't
  need more than that.
- **An object at every moment.** The JSON libraries give you a value for what is there so far. We give you strict JSON, piece by piece;
  to look into it before it's whole, you would put one of them behind us.
- **Broken JSON by itself.** \`jsonrepair\` repairs more kinds of broken JSON than we do, if you have all of the text.
- **Formats of your own in code.** A protocol of \`@ai-sdk-tool/parser\` is a function that you write; a dialect of ours is data. What our
  grammars can't say, you can't teach it.
- **Older versions of the AI SDK.** \`@ai-sdk-tool/parser\` has a version for each major since 4. Our middleware is for AI SDK 7.
`

console.log(page)
if (process.argv.includes('--markdown')) writeFileSync('docs/comparison.md', page)
