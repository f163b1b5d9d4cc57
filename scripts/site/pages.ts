import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'

export interface Page {
  /** Where it stands in the project, and on the site. */
  readonly source: string
  readonly path: string
  readonly title: string
  readonly text: string
}

/** Pages that stand beside the folder docs. The front page of the site is its own. */
const beside = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']

/** The documents as the site shows them: the same text, with links that lead somewhere there too. */
export function readPages(repository?: string): readonly Page[] {
  const sources = listSources()
  const paths = new Map(sources.map((source) => [source, pathOf(source)]))
  return sources.map((source) => {
    const text = readFileSync(source, 'utf8')
    const title = /^# (.+)$/m.exec(text)?.[1] ?? basename(source, '.md')
    return { source, path: pathOf(source), title, text: relink(text, source, paths, repository) }
  })
}

/** The front page: its own words, and the table of what works with what from README.md. */
export function makeFront(repository?: string): string {
  const readme = readFileSync('README.md', 'utf8')
  const [, table = ''] = /<!-- works-with -->\n([\s\S]*?)<!-- end -->/.exec(readme) ?? []
  const paths = new Map(listSources().map((source) => [source, pathOf(source)]))
  return readFileSync('site/front.md', 'utf8').replace(
    '<!-- works-with -->',
    relink(table, 'README.md', paths, repository),
  )
}

function listSources(): readonly string[] {
  return [...beside, ...globSync('docs/**/*.md').toSorted()]
}

function pathOf(source: string): string {
  if (source.startsWith('docs/')) return source.slice('docs/'.length)
  // docs/security.md is another page.
  return source === 'SECURITY.md' ? 'reporting.md' : source.toLowerCase()
}

/** A link to a file that is no page leads to the repository, where one is known; else only its words stay. */
function relink(text: string, source: string, paths: ReadonlyMap<string, string>, repository?: string): string {
  return text.replaceAll(
    /\[((?:[^\][]|\[[^\]]*\])*)\]\((?!https?:|#)([^)#\s]*)(#[^)\s]*)?\)/g,
    (_, words, path, hash = '') => {
      const target = normalize(join(dirname(source), path)).replace(/\/$/, '')
      if (target === 'README.md') return `[${words}](/)`
      const page = paths.get(target)
      if (page !== undefined) return `[${words}](/${page}${hash})`
      if (target === 'docs/decisions')
        return `[${words}](/${paths.get('docs/decisions/0001-one-engine-reads-every-dialect.md')})`
      return repository === undefined ? words : `[${words}](${repository}/blob/main/${target}${hash})`
    },
  )
}

/** What the side of the site lists, in groups. A page that no group names is in the last. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['quick-start.md', 'install.md', 'clients.md', 'upstreams.md', 'library.md', 'troubleshooting.md'],
  Use: [
    'choosing.md',
    'weak-models.md',
    'tune.md',
    'dialects.md',
    'inspector.md',
    'behaviour.md',
    'grammars.md',
    'reference.md',
    'notes.md',
  ],
  Run: ['deploy.md', 'keys-and-limits.md', 'security.md', 'reporting.md'],
  Inside: [
    'architecture.md',
    'engine.md',
    'conformance.md',
    'conformance-suite.md',
    'glossary.md',
    'dependencies.md',
    'contributing.md',
    'changelog.md',
  ],
}

export interface SidebarGroup {
  readonly text: string
  readonly collapsed?: boolean
  readonly items: readonly { readonly text: string; readonly link: string }[]
}

export function toSidebar(pages: readonly Page[]): readonly SidebarGroup[] {
  const named = new Set(Object.values(groups).flat())
  const itemOf = ({ title, path }: Page) => ({ text: title.replaceAll('`', ''), link: `/${path.replace(/\.md$/, '')}` })
  const listed = Object.entries(groups).map(([text, paths]) => ({
    text,
    items: paths.flatMap((path) => pages.filter((page) => page.path === path)).map(itemOf),
  }))
  const decisions = pages.filter(({ path }) => path.startsWith('decisions/'))
  const others = pages.filter(({ path }) => !named.has(path) && !path.startsWith('decisions/'))
  return [
    ...listed,
    { text: 'More', collapsed: true, items: others.map(itemOf) },
    { text: 'Decisions', collapsed: true, items: decisions.map(itemOf) },
  ]
}
