import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Something an agent is sent to do in a folder, and how to see whether it did. */
export interface Errand {
  readonly name: string
  readonly says: string
  /** What is in the folder before. */
  readonly files: Readonly<Record<string, string>>
  readonly isDone: (folder: Folder, answer: string) => boolean
  /** The right answer takes no tool. */
  readonly plain?: boolean
}

/** A folder after an errand. */
export interface Folder {
  /** The text of a file; none where there is none. */
  read(path: string): string | undefined
  isUnchanged(): boolean
}

export function openFolder(root: string, files: Errand['files']): Folder {
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined)
  return { read, isUnchanged: () => Object.entries(files).every(([path, text]) => read(path) === text) }
}

const config = '[server]\nhost = localhost\nport = 8080\ndebug = false\n'
const greet = 'def greet(name):\n    return "Hello, " + name\n'

export const errands: readonly Errand[] = [
  {
    name: 'read one file',
    says: 'Read the file notes.txt and tell me the code word in it.',
    files: { 'notes.txt': 'Remember: the code word is marzipan.\n' },
    isDone: (folder, answer) => /marzipan/i.test(answer) && folder.isUnchanged(),
  },
  {
    name: 'read one value',
    says: 'Which port does config.ini set?',
    files: { 'config.ini': config },
    isDone: (folder, answer) => answer.includes('8080') && folder.isUnchanged(),
  },
  {
    name: 'create a file',
    says: 'Create the file hello.txt with the text "hello world" in it.',
    files: {},
    isDone: (folder) => folder.read('hello.txt')?.trim() === 'hello world',
  },
  {
    name: 'create a file in a new folder',
    says: 'Create the file out/list.txt with three lines: red, green, blue.',
    files: {},
    isDone: (folder) => /^red\ngreen\nblue\n?$/.test(folder.read('out/list.txt') ?? ''),
  },
  {
    name: 'edit a value',
    says: 'In config.ini, change the port to 9090. Leave everything else as it is.',
    files: { 'config.ini': config },
    isDone: (folder) => folder.read('config.ini') === config.replace('8080', '9090'),
  },
  {
    name: 'edit code',
    says: 'In greet.py, make the function return "Goodbye, " instead of "Hello, ".',
    files: { 'greet.py': greet },
    isDone: (folder) => folder.read('greet.py') === greet.replace('Hello', 'Goodbye'),
  },
  {
    name: 'run a command',
    says: 'Run `wc -l data.csv` and tell me the number of lines.',
    files: { 'data.csv': 'a,b\n'.repeat(37) },
    isDone: (folder, answer) => answer.includes('37') && folder.isUnchanged(),
  },
  {
    name: 'list a folder',
    says: 'Which files are in the folder src? Name them.',
    files: { 'src/alpha.ts': '\n', 'src/bravo.ts': '\n' },
    isDone: (_, answer) => /alpha\.ts/.test(answer) && /bravo\.ts/.test(answer),
  },
  {
    name: 'search',
    says: 'Search the files in this folder for the word "quartz" and tell me which file has it.',
    files: { 'one.txt': 'granite\n', 'two.txt': 'some quartz here\n', 'three.txt': 'basalt\n' },
    isDone: (folder, answer) => /two\.txt/.test(answer) && folder.isUnchanged(),
  },
  {
    name: 'rename',
    says: 'Rename the file draft.md to final.md.',
    files: { 'draft.md': '# Title\n' },
    isDone: (folder) => folder.read('draft.md') === undefined && folder.read('final.md') === '# Title\n',
  },
  {
    name: 'two files',
    says: 'Read a.txt and b.txt, and tell me the sum of the two numbers in them.',
    files: { 'a.txt': '17\n', 'b.txt': '25\n' },
    isDone: (folder, answer) => answer.includes('42') && folder.isUnchanged(),
  },
  {
    name: 'a script, and run it',
    says: 'Write a Python script square.py that prints 12 * 12, then run it with python3 and tell me what it prints.',
    files: {},
    isDone: (folder, answer) => folder.read('square.py') !== undefined && answer.includes('144'),
  },
  {
    name: 'no tool: a question',
    says: 'What does the abbreviation HTML stand for? Answer from memory.',
    files: { 'notes.txt': 'Nothing here.\n' },
    isDone: (folder, answer) => /hyper\s?text/i.test(answer) && folder.isUnchanged(),
    plain: true,
  },
  {
    name: 'no tool: thanks',
    says: 'Thank you, that is all for today.',
    files: { 'notes.txt': 'Nothing here.\n' },
    isDone: (folder, answer) => answer.trim() !== '' && folder.isUnchanged(),
    plain: true,
  },
]
