import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One thing done with a tool, whatever the agent calls its tools. */
export type Deed =
  | { readonly do: 'read'; readonly path: string }
  | {
      readonly do: 'write'
      readonly path: string
      readonly content: string
      /** For a tool that takes only so much at once: the line before which this part belongs. */
      readonly line?: number
    }
  | { readonly do: 'run'; readonly command: string }

/** One answer of the model: what it says, what it does, and what it must then be told. */
export interface Step {
  readonly says: string
  readonly deeds: readonly Deed[]
  readonly told: RegExp
}

/** What a scripted model does about one request of a user. */
export interface Plot {
  /** Stands in the user's message, and marks the conversation. */
  readonly id: string
  readonly folder: string
  /** Steps, given all that was said so far: what is written comes out of what was read. */
  steps(said: string): readonly Step[]
  /** The last words, which repeat what the command printed. */
  ending(said: string): string
  /** Before each answer. */
  readonly thinksMs?: number
  /** Breaks off in the middle of its first call and stays silent. */
  readonly stalls?: boolean
}

const secretOf = /secret-[0-9a-f]{12}/
const printedOf = /ran-\d+-\d+/
/** What Qwen Code says, now and then, of a command that printed and ended at once: its terminal had gone before it was read. */
const lostOutput = /Output: \(empty\)/

/** The errand in full: reads, a failure, three reads at once, two writes, a command. Eight calls. */
export function createErrand(id: string, folder: string, largeBytes: number): Plot {
  const secret = `secret-${Buffer.from(id).toString('hex').padEnd(12, '0').slice(-12)}`
  writeFileSync(join(folder, 'input.txt'), `The word is ${secret}.\n`)
  for (const name of ['alpha', 'beta', 'gamma']) writeFileSync(join(folder, `${name}.txt`), `${name} says ${name}-ok\n`)
  const large = printLargeFile(largeBytes)
  return {
    id,
    folder,
    steps: (said) => [
      { says: 'I will look at the input.', deeds: [read(folder, 'input.txt')], told: secretOf },
      {
        says: 'Now the settings.',
        deeds: [read(folder, 'settings-that-are-not-there.txt')],
        told: /no such file|not found|not exist|ENOENT|error/i,
      },
      {
        says: 'There are none. I will go on with the three others.',
        deeds: [read(folder, 'alpha.txt'), read(folder, 'beta.txt'), read(folder, 'gamma.txt')],
        told: /(?:alpha|beta|gamma)-ok/,
      },
      {
        says: 'I will write down what I read.',
        deeds: [
          { do: 'write', path: join(folder, 'out.txt'), content: printSmallFile(secretOf.exec(said)?.[0] ?? '') },
        ],
        told: /./,
      },
      {
        says: 'Then the program.',
        deeds: [{ do: 'write', path: join(folder, 'large.ts'), content: large }],
        told: /./,
      },
      {
        says: 'I will count it.',
        deeds: [{ do: 'run', command: countCommand(folder) }],
        told: new RegExp(`${printedOf.source}|${lostOutput.source}`),
      },
      ...(lostOutput.test(said) && !printedOf.test(said)
        ? [{ says: 'I saw nothing of it. I will look.', deeds: [read(folder, 'ran.txt')], told: printedOf }]
        : []),
    ],
    ending: (said) => `Done. The command printed ${printedOf.exec(said)?.[0] ?? 'nothing'}.`,
  }
}

/** Three reads that do not depend on each other, at once or one by one, by a model that takes its time. */
export function createReads(id: string, folder: string, together: boolean, thinksMs: number): Plot {
  const names = ['alpha', 'beta', 'gamma']
  for (const name of names) writeFileSync(join(folder, `${name}.txt`), `${name} says ${name}-ok\n`)
  const step = (deeds: readonly Deed[]): Step => ({ says: 'I will look.', deeds, told: /-ok/ })
  const reads = names.map((name) => read(folder, `${name}.txt`))
  return {
    id,
    folder,
    thinksMs,
    steps: () => (together ? [step(reads)] : reads.map((one) => step([one]))),
    ending: (said) =>
      names.every((name) => said.includes(`${name}-ok`)) ? 'All three were read.' : 'Some are missing.',
  }
}

/** Begins a call and never ends it. */
export function createStall(id: string, folder: string): Plot {
  return {
    id,
    folder,
    stalls: true,
    steps: () => [
      {
        says: 'I will write for a long time.',
        deeds: [{ do: 'write', path: join(folder, 'out.txt'), content: 'never to be written\n'.repeat(50) }],
        told: /./,
      },
    ],
    ending: () => 'Done.',
  }
}

/** What an errand writes, given that its input was read. */
export function writesOf(plot: Plot) {
  const secret = secretOf.exec(readFileSync(join(plot.folder, 'input.txt'), 'utf8'))?.[0] ?? ''
  return plot.steps(secret).flatMap(({ deeds }) => deeds.filter((deed) => deed.do === 'write'))
}

/**
 * What is wrong with the folder and the last words after an errand; nothing when all is done. `rewrites` is what the agent
 * itself does to a text before it writes it.
 */
export function judgeErrand(plot: Plot, answer: string, rewrites = (text: string) => text): readonly string[] {
  const faults: string[] = []
  const at = (name: string) => join(plot.folder, name)
  for (const { path, content } of writesOf(plot)) {
    if (!existsSync(path)) faults.push(`${path} was not written`)
    else faults.push(...differences(path, readFileSync(path, 'utf8'), rewrites(content)))
  }
  const printed = existsSync(at('ran.txt')) ? readFileSync(at('ran.txt'), 'utf8').trim() : undefined
  if (printed === undefined) faults.push('the command did not run')
  else if (!answer.includes(printed)) faults.push(`the answer does not mention ${printed}: ${answer.slice(-200)}`)
  return faults
}

function differences(path: string, found: string, wanted: string): readonly string[] {
  if (found === wanted) return []
  let at = 0
  while (found[at] === wanted[at] && at < wanted.length) at++
  const show = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 40))
  return [`${path} differs at ${at} of ${wanted.length}: ${show(found)} instead of ${show(wanted)}`]
}

function read(folder: string, name: string): Deed {
  return { do: 'read', path: join(folder, name) }
}

function countCommand(folder: string): string {
  return `cd '${folder}' && printf 'ran-%s-%s\\n' "$((6 * 7))" "$(wc -c < large.ts | tr -d ' ')" | tee ran.txt`
}

/** Everything that marks, quotes or escapes something somewhere. */
function printSmallFile(secret: string): string {
  return [
    `word: ${secret}`,
    `  "double" 'single' \`back\` \\n \\\\ \\u0041 $HOME $(date) %s {x} {{y}} [z]`,
    '<a href="x">1 &lt; 2 &amp;&amp; 3 > 2</a> <!-- no --> ]]> </div>',
    '```json',
    '{"name": "read_file", "arguments": {"path": "x"}}',
    '```',
    'Ünïcödé, 日本語, 🐉, \u00a0nbsp',
    '\ttab, trailing blanks  ',
    'last line',
    '',
  ].join('\n')
}

function printLargeFile(bytes: number): string {
  const lines: string[] = []
  for (let size = 0, n = 0; size < bytes; n++) {
    const line = [
      `export const view${n} = (name: string) => \`<li class="item-${n}" data-x='{"n": ${n}}'>\${name} & "co"</li>\``,
      `/* ${n}: it's <b>bold</b>, \\d+ and \\"quoted\\"; \`\`\`ts fence\`\`\` */ const re${n} = /<\\/?p>|"[^"]*"/g`,
      `if (a < ${n} && b > ${n}) { log('x', "y", \`z\`) } else { throw new Error("no ${n}") }`,
    ][n % 3]
    lines.push(line ?? '')
    size += (line ?? '').length + 1
  }
  return `${lines.join('\n')}\n`
}
