import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The three tools every SDK is given, as plain functions with JSON schemas. */
export const tools = [
  {
    name: 'read_file',
    description: 'Read the contents of a file',
    parameters: schema('path'),
    run: ({ path }) => readFile(path, 'utf8'),
  },
  {
    name: 'write_file',
    description: 'Write a file',
    parameters: schema('path', 'content'),
    async run({ path, content }) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
      return `Wrote ${content.length} characters.`
    },
  },
  {
    name: 'run_command',
    description: 'Run a shell command and return what it prints',
    parameters: schema('command'),
    run: ({ command }) =>
      new Promise((done) => {
        execFile('/bin/sh', ['-c', command], (error, out, complaints) => done(out + complaints + (error?.code ?? '')))
      }),
  },
]

function schema(...names) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', description: `The ${name}` }]))
  return { type: 'object', properties, required: names, additionalProperties: false }
}

/** What a tool returns, or in words why it could not. */
export async function attempt(tool, values) {
  try {
    return await tool.run(values)
  } catch (error) {
    return `Error: ${error.message}`
  }
}

/** Does every job that stands on standard input, one after the other, and prints a line of JSON for each. */
export async function work(doJob) {
  let text = ''
  for await (const piece of process.stdin) text += piece
  for (const job of JSON.parse(text)) {
    let line
    try {
      const url = process.env.OPENAI_BASE_URL.replace('RUN', job.id)
      line = { id: job.id, ...(await doJob({ ...job, url })) }
    } catch (error) {
      line = { id: job.id, text: '', error: String(error?.stack ?? error) }
    }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
}

export const key = process.env.OPENAI_API_KEY
