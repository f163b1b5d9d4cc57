import { rolldown } from 'rolldown'

/** One file of what a module and all it imports come to, for a browser or a worker. */
export async function bundle(entry: string): Promise<string> {
  const made = await rolldown({ input: entry, platform: 'browser', logLevel: 'silent' })
  const { output } = await made.generate({ minify: true })
  await made.close()
  return output[0].code
}
