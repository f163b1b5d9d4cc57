import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** One file of the page. */
export interface PageFile {
  readonly bytes: Buffer
  readonly type: string
  /** Its name tells its content: it never changes. */
  readonly isLasting: boolean
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json; charset=utf-8',
}

/** Finds a file of the built page by its name; undefined where there is none of that name, or nothing was built. */
export type FindFile = (name: string) => PageFile | undefined

/**
 * All files of the folder are read once, and anew when the page was built again: what a client asks for is only ever looked
 * up among their names, so there is no path to make of it.
 */
export function createFiles(folder: string): FindFile {
  let files = new Map<string, PageFile>()
  let builtAt: number | undefined
  return (name) => {
    const seen = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs
    if (seen !== builtAt) {
      files = seen === undefined ? new Map() : readAll(folder)
      builtAt = seen
    }
    return files.get(name)
  }
}

function readAll(folder: string): Map<string, PageFile> {
  const files = new Map<string, PageFile>()
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).split(sep).join('/')
    const type = types[name.slice(name.lastIndexOf('.') + 1)]
    if (type === undefined) continue
    files.set(name, { bytes: readFileSync(path), type, isLasting: name.startsWith('assets/') })
  }
  return files
}
