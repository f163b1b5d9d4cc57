import { arrows, beside, folders, impureGlobals, pure, rooms, roots, windows } from './table.ts'

/** The linter's rules, as `biome.walls.json` holds them. */
export function toRules(): object {
  return {
    overrides: [
      ...Object.entries(arrows).map(([folder, open]) => toOverride(`${folder}/**`, folder, open, pure[folder])),
      ...Object.entries(beside).map(([folder, open]) => fromBeside(folder, open)),
      ...roots.map((root) =>
        restrict(`src/${root}`, [{ group: ['./**', '../**'], message: `${root} imports nothing of ours.` }]),
      ),
      ...windows.map(({ files, also }) => {
        const folder = files.split('/')[0] ?? ''
        return toOverride(files, files, [...(arrows[folder] ?? []), ...also], pure[folder])
      }),
      purity(),
    ],
  }
}

function toOverride(
  files: string,
  name: string,
  open: readonly string[],
  packages: readonly string[] | undefined,
): object {
  const own = name.split('/')[0]
  const seen = (folder: string): boolean => folder === own || open.includes(folder)
  const partly = (folder: string): readonly string[] => open.filter((path) => path.startsWith(`${folder}/`))
  const closed = folders.filter((folder) => !seen(folder) && partly(folder).length === 0)
  const doors = folders.filter((folder) => !seen(folder) && partly(folder).length > 0)
  const group = [
    `**/{${closed.join(',')}}/**`,
    ...doors.flatMap((folder) => [`**/${folder}/**`, ...partly(folder).map((path) => `!**/${path}`)]),
    ...roots.filter((root) => !open.includes(root)).map((root) => `**/${root}`),
  ]
  const message = `${name} may import ${inWords(open)}: see the walls in ARCHITECTURE.md.`
  if (packages === undefined) return restrict(`src/${files}`, [{ group, message }])
  const but = packages.length === 0 ? '' : ` but ${inWords(packages)}`
  return restrict(`src/${files}`, [
    { group, message },
    {
      group: ['**', '!./**', '!../**', ...packages.map((name) => `!${name}`)],
      message: `${name} is pure: no packages${but}, and no node: modules.`,
    },
  ])
}

function fromBeside(folder: string, open: readonly string[]): object {
  const seen = open.map((path) => (path.includes('/') ? `!**/src/${path}` : `!**/src/${path}/**`))
  const message = `${folder} may import ${inWords(open)} of src: see the walls in ARCHITECTURE.md.`
  return restrict(`${folder}/**`, [{ group: ['**/src/**', ...seen], message }])
}

function restrict(files: string, patterns: readonly object[]): object {
  return {
    includes: [files],
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
  }
}

function purity(): object {
  const message = 'Hand it in: this folder is pure.'
  const deniedGlobals = Object.fromEntries(impureGlobals.map((name) => [name, message]))
  const entries = [{ object: 'Math', property: 'random', message }]
  return {
    includes: Object.keys(pure).map((folder) => `src/${folder}/**`),
    linter: {
      rules: {
        style: { noRestrictedGlobals: { level: 'error', options: { deniedGlobals } } },
        nursery: { noJsRestrictedProperties: { level: 'error', options: { entries } } },
      },
    },
  }
}

function inWords(names: readonly string[]): string {
  const last = names.at(-1) ?? 'nothing'
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

const [begin, end] = ['<!-- made by npm run walls -->', '<!-- end -->']

/** Folders and who sees whom, without the words everybody shares: `protocol` and the files beside the folders. */
function toPicture(): string {
  const shown = folders.filter((folder) => folder !== 'protocol')
  const nodes = shown.map((folder) => {
    const inside = (rooms[folder] ?? []).map((room) => `${room}/`).join(' · ')
    return `  ${folder}["<b>${folder}</b>${inside === '' ? '' : `<br/>${inside}`}"]`
  })
  const lines = shown.flatMap((folder) => {
    const seen = new Set((arrows[folder] ?? []).map((path) => path.split('/')[0] ?? ''))
    const targets = shown.filter((target) => seen.has(target))
    return targets.length === 0 ? [] : [`  ${folder} --> ${targets.join(' & ')}`]
  })
  return ['```mermaid', 'flowchart TD', ...nodes, ...lines, '```'].join('\n')
}

/** ARCHITECTURE.md with the picture and the table of walls as they are. */
export function withTable(page: string): string {
  const rows = Object.entries({ ...arrows, ...beside }).map(
    ([folder, open]) => `| \`${folder}\` | ${open.map(toCell).join(', ')} |`,
  )
  const table = ['| folder | may import |', '|---|---|', ...rows].join('\n')
  const seeing = windows.map(({ files, why }) => `\`${files}\` ${why}`)
  const further = `Some files see further, because that is their work: ${inWords(seeing)}.`
  const [before = '', rest = ''] = page.split(begin)
  const [, after = ''] = rest.split(end)
  return `${before}${begin}\n\n${toPicture()}\n\n${table}\n\n${further}\n\n${end}${after}`
}

function toCell(path: string): string {
  return path.includes('/') ? `\`${path}\` alone` : `\`${path}\``
}
