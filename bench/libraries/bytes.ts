import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { dialectModule } from '../../scripts/dialect-modules.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { folder, peerNames } from './peers.ts'

/** What a page or a worker has to load for each. */
export async function compareBytes(): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'dragoman-bytes-'))
  const own = (file: string): string => resolve('src', file)
  const one = join(scratch, 'hermes.ts')
  writeFileSync(one, dialectModule(hermes, resolve('src'), '.ts'))
  const rows: (readonly [string, string])[] = [
    [
      '`dragoman/core` with one dialect, to read',
      `export { readStream } from '${own('core.ts')}'; export { hermes } from '${one}'`,
    ],
    [
      '`dragoman/core` with one dialect, all verbs',
      `export * from '${own('core.ts')}'; export { hermes } from '${one}'`,
    ],
    ['`dragoman/engine`, every dialect', `export * from '${own('engine.ts')}'`],
    ['`dragoman/ai-sdk`, every dialect', `export * from '${own('ai-sdk.ts')}'`],
    ...peerNames.map((name) => [`\`${name}\``, `export * as all from '${name}'`] as const),
  ]
  const cells: string[] = []
  for (const [index, [name, text]] of rows.entries()) {
    const entry = join(name.includes('dragoman') ? scratch : folder, `entry-${index}.mjs`)
    writeFileSync(entry, text)
    const made = await rolldown({ input: entry, platform: 'browser', logLevel: 'silent' })
    const { output } = await made.generate({ minify: true })
    await made.close()
    cells.push(
      `| ${name} | ${(output[0].code.length / 1000).toFixed(0)} kB | ${(gzipSync(output[0].code, { level: 9 }).length / 1000).toFixed(1)} kB |`,
    )
  }
  rmSync(scratch, { recursive: true, force: true })
  return `## Bytes

Bundled and minified, with all they import.

| what | minified | gzipped |
|---|---|---|
${cells.join('\n')}
`
}
