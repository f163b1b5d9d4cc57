import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** Package, chart and tag say the same version: `node scripts/deploy/versions.ts v1.2.3`. Without a tag, the first two. */
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const chart = parse(readFileSync('deploy/helm/dragoman/Chart.yaml', 'utf8'))
const tag = process.argv[2]
const said = { version: chart.version, appVersion: chart.appVersion, ...(tag !== undefined && { tag: tag.slice(1) }) }
const wrong = Object.entries(said).filter(([, other]) => other !== version)
for (const [name, other] of wrong) console.error(`${name} is ${other}, but package.json says ${version}.`)
process.exitCode = wrong.length === 0 ? 0 : 1
