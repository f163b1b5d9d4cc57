import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The licences of the packages that these modules are of. Throws where one has none that could be passed on. */
export function printLicences(modules: readonly string[]): string {
  const folders = new Set(modules.map(packageOf).filter((folder) => folder !== undefined))
  const sections = [...folders].map(printOne).toSorted()
  return ['# What is built into these files, and its licences', '', ...sections].join('\n')
}

function packageOf(module: string): string | undefined {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1]
}

function printOne(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`${name} has no licence in ${dirname(folder)}.`)
  const text = readFileSync(join(folder, file), 'utf8').trim()
  return `## ${name} ${version} (${license})\n\n${text.replaceAll(/^/gm, '    ').replaceAll(/[ \t]+$/gm, '')}\n`
}
