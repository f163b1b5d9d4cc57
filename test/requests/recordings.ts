import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from '../../src/protocol/message.ts'
import { put } from './put.ts'

/**
 * node test/requests/recordings.ts [FOLDER]: puts requests that real clients sent through the door, in native and in
 * prompt mode. A folder holds files of JSON lines, each a request with its `case`, `path` and `body`. Exit 1 when one is
 * refused.
 */
const folder = process.argv[2] ?? join('..', 'shared', 'recordings')

interface Recording {
  readonly case: string
  readonly path: string
  readonly body: { readonly tools?: readonly unknown[]; readonly tool_choice?: unknown }
}

function readRecordings(): readonly Recording[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recording)
    .filter(({ path }) => path.endsWith('/chat/completions'))
}

async function run(): Promise<boolean> {
  const recordings = readRecordings()
  let accepted = 0
  for (const { case: name, body } of recordings) {
    for (const tools of ['native', 'prompt'] as const) {
      try {
        const [asked] = await put(body, { tools, dialect: 'hermes' })
        if (asked === undefined) throw new Error('nothing was asked of the service')
        const offered = body.tool_choice === 'none' ? 0 : (body.tools?.length ?? 0)
        if (tools === 'native' && asked.tools.length !== offered) throw new Error('tools were lost')
        if (tools === 'prompt' && asked.messages.some(({ role }) => role === 'tool'))
          throw new Error('a result was left')
        if (asked.messages.every(({ content }) => textOf(content) === '')) throw new Error('all words were lost')
        accepted++
      } catch (thrown) {
        console.log(`refused  ${name} (${tools}): ${thrown instanceof Error ? thrown.message : String(thrown)}`)
      }
    }
  }
  console.log(
    `${accepted} of ${recordings.length * 2} accepted: ${recordings.length} requests in native and prompt mode`,
  )
  return accepted === recordings.length * 2 && recordings.length > 0
}

if (existsSync(folder)) process.exitCode = (await run()) ? 0 : 1
else console.log(`no recordings in ${folder}: nothing to do`)
