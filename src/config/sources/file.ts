import { posix, win32 } from 'node:path'
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Scalar } from 'yaml'
import { findJsonFault } from '../../protocol/text/json-fault.ts'
import { ConfigError, type Problem } from '../problems.ts'
import { printBrokenFrame, printFrame } from './frame.ts'
import type { Surroundings } from './surroundings.ts'

/** A configuration file as read: its plain value, and where in it a path stands. */
export interface ParsedFile {
  readonly path: string
  /** As it was read. */
  readonly text: string
  readonly value: unknown
  /** `dragoman.yaml:12:3` for a path in the value, or for the deepest part of it that is there. */
  locate(path: readonly PropertyKey[]): string
  /** That line, with a caret below the place; undefined where the path is not in it. It shows no value the message does not. */
  frame(path: readonly PropertyKey[], message: string): string | undefined
}

const names = ['dragoman.yaml', 'dragoman.yml', 'dragoman.json']

/** The file that was asked for, else the one in the working directory, else the one in the user's config folder. */
export function findConfigFile(surroundings: Surroundings, asked?: string): ParsedFile | undefined {
  const paths = surroundings.platform === 'win32' ? win32 : posix
  if (asked !== undefined) {
    const path = paths.resolve(surroundings.workingDirectory, asked)
    const text = readOrExplain(surroundings, path)
    if (text === undefined) throw new ConfigError([{ path: [], where: path, message: 'there is no such file' }])
    return parseConfigFile(path, text)
  }
  for (const folder of [surroundings.workingDirectory, userConfigFolder(surroundings)]) {
    for (const name of names) {
      const path = paths.join(folder, name)
      const text = readOrExplain(surroundings, path)
      if (text !== undefined) return parseConfigFile(path, text)
    }
  }
  return undefined
}

/** A path named in the configuration: relative to the file that names it, else to the working directory. */
export function besides(path: string, configPath: string | undefined, surroundings: Surroundings): string {
  const paths = surroundings.platform === 'win32' ? win32 : posix
  return paths.resolve(configPath === undefined ? surroundings.workingDirectory : paths.dirname(configPath), path)
}

/** Where programs keep what they make and could do without. */
export function userStateFile({ environment, homeDirectory, platform }: Surroundings, name: string): string {
  if (platform === 'win32') {
    return win32.join(environment['LOCALAPPDATA'] || win32.join(homeDirectory, 'AppData', 'Local'), 'dragoman', name)
  }
  return posix.join(environment['XDG_STATE_HOME'] || posix.join(homeDirectory, '.local/state'), 'dragoman', name)
}

function userConfigFolder({ environment, homeDirectory, platform }: Surroundings): string {
  if (platform === 'win32') {
    return win32.join(environment['APPDATA'] || win32.join(homeDirectory, 'AppData', 'Roaming'), 'dragoman')
  }
  return posix.join(environment['XDG_CONFIG_HOME'] || posix.join(homeDirectory, '.config'), 'dragoman')
}

function readOrExplain(surroundings: Surroundings, path: string): string | undefined {
  try {
    return surroundings.readFile(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([{ path: [], where: path, message: `cannot be read (${reason})` }])
  }
}

function parseConfigFile(path: string, raw: string): ParsedFile {
  const text = raw.replace(/^\uFEFF/, '')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  const isJson = path.endsWith('.json')
  if (isJson) checkJson(path, text)
  const faults = isJson ? document.errors.filter(({ code }) => code === 'DUPLICATE_KEY') : document.errors
  if (faults.length > 0) {
    const problems = faults.map(({ code, message: told, pos: [offset] }): Problem => {
      const { line, col } = lines.linePos(offset)
      const where = `${path}:${line}:${col}`
      if (code !== 'DUPLICATE_KEY') return { path: [], where, message: told, frame: printBrokenFrame(text, offset) }
      const twin = twinOf(document.contents, offset)
      const first = twin && lines.linePos(twin.offset).line
      const places = first === line ? `twice in line ${line}` : `in lines ${first} and ${line}`
      const message = `Map keys must be unique, and "${twin?.name}" is ${places}. Keep one of them`
      return { path: [], where, message, frame: printFrame(text, offset, '', document.contents) }
    })
    throw new ConfigError(problems)
  }
  return {
    path,
    text: raw,
    value: isJson ? JSON.parse(text) : toPlainValue(path, document),
    locate(steps) {
      const offset = offsetOf(document.contents, steps)
      if (offset === undefined) return path
      const { line, col } = lines.linePos(offset)
      return `${path}:${line}:${col}`
    },
    frame(steps, message) {
      const offset = offsetOf(document.contents, steps)
      return offset === undefined ? undefined : printFrame(text, offset, message, document.contents)
    },
  }
}

/** A `.json` file has to be JSON proper, which YAML's reader would not insist on. */
function checkJson(path: string, text: string): void {
  try {
    JSON.parse(text)
  } catch {
    const { at, line, column, what } = findJsonFault(text)
    const where = `${path}:${line}:${column}`
    throw new ConfigError([{ path: [], where, message: `is not JSON: ${what}`, frame: printBrokenFrame(text, at) }])
  }
}

/** The first of two members of one name, by where the second stands. */
function twinOf(node: unknown, offset: number): { readonly name: string; readonly offset: number } | undefined {
  if (isSeq(node)) return node.items.map((item) => twinOf(item, offset)).find((twin) => twin !== undefined)
  if (!isMap(node)) return undefined
  const second = node.items.find(({ key }) => (key as Node).range?.[0] === offset)
  if (second === undefined)
    return node.items.map(({ value }) => twinOf(value, offset)).find((twin) => twin !== undefined)
  const name = String((second.key as Scalar).value)
  const first = node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
  return { name, offset: ((first ?? second).key as Node).range?.[0] ?? offset }
}

function toPlainValue(path: string, document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS()
  } catch (error) {
    // Aliases that multiply without end are only noticed here.
    throw new ConfigError([{ path: [], where: path, message: (error as Error).message }])
  }
}

/** Where the key (or list item) a path leads to begins; as deep as the path can be followed. */
function offsetOf(root: unknown, steps: readonly PropertyKey[]): number | undefined {
  let node = root
  let offset: number | undefined
  for (const step of steps) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : undefined) === String(step))
      if (pair === undefined) break
      offset = (pair.key as Node).range?.[0]
      node = pair.value
    } else if (isSeq(node) && typeof step === 'number') {
      node = node.items[step]
      offset = (node as Node | undefined)?.range?.[0] ?? offset
    } else break
  }
  return offset
}
