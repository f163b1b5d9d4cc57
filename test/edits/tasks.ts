import type { mistakes } from './mistakes.ts'

/** A file, the change that is wanted, and the patch that makes it. */
export interface Edit {
  readonly path: string
  readonly before: string
  readonly after: string
  readonly patch: string
}

const framed = (...lines: readonly string[]): string => `${['*** Begin Patch', ...lines, '*** End Patch'].join('\n')}\n`

function edit(path: string, before: string, change: readonly (readonly [string, string])[], hunks: string): Edit {
  const after = change.reduce((text, [old, fresh]) => text.replace(old, () => fresh), before)
  return { path, before, after, patch: framed(`*** Update File: ${path}`, ...hunks.trimEnd().split('\n')) }
}

const python = `import sys

class Shop:
    def price(self, item):
        rate = 1.19
        if item is None:
            return 0
        return item.net * rate

    def total(self, items):
        rate = 1.19
        if items is None:
            return 0
        return sum(self.price(item) for item in items)
`
const typescript = `export interface Options {
  readonly retries: number
}

export async function load(url: string, options: Options): Promise<string> {
  for (let left = options.retries; left > 0; left--) {
    const response = await fetch(url)
    if (response.ok) return await response.text()
  }
  throw new Error('not to be had')
}

export function parse(text: string): number[] {
  const rows = text.split('\\n')
  const numbers = rows.map((row) => Number(row))
  return numbers.filter((one) => !Number.isNaN(one))
}
`
const makefile = `all: build test

build:
\tmkdir -p out
\tcc -O1 -o out/app app.c

test: build
\t./out/app --check
\t./out/app --more
`
const yaml = `server:
  host: localhost
  port: 8080
  limits:
    body: 1mb
    time: 30s
client:
  host: localhost
  port: 9090
`

export const edits = {
  python: edit(
    'shop/shop.py',
    python,
    [['return item.net * rate', 'return round(item.net * rate, 2)']],
    `@@ class Shop:
     def price(self, item):
         rate = 1.19
         if item is None:
             return 0
-        return item.net * rate
+        return round(item.net * rate, 2)
`,
  ),
  insert: edit(
    'shop/shop.py',
    python,
    [['    def total(self, items):\n', '    def total(self, items):\n        items = list(items)\n']],
    `@@ class Shop:
         return item.net * rate

     def total(self, items):
+        items = list(items)
         rate = 1.19
`.replace('rate\n\n', 'rate\n \n'),
  ),
  second: edit(
    'shop/shop.py',
    python,
    [['items):\n        rate = 1.19', 'items):\n        rate = 1.07']],
    `@@     def total(self, items):
-        rate = 1.19
+        rate = 1.07
         if items is None:
             return 0
`,
  ),
  typescript: edit(
    'src/load.ts',
    typescript,
    [
      [
        '    const response = await fetch(url)\n',
        '    const response = await fetch(url, { signal: AbortSignal.timeout(5000) })\n',
      ],
    ],
    `@@ export async function load(url: string, options: Options): Promise<string> {
   for (let left = options.retries; left > 0; left--) {
-    const response = await fetch(url)
+    const response = await fetch(url, { signal: AbortSignal.timeout(5000) })
     if (response.ok) return await response.text()
   }
   throw new Error('not to be had')
`,
  ),
  two: edit(
    'src/load.ts',
    typescript,
    [
      ['retries: number', 'retries: number\n  readonly wait?: number'],
      ["text.split('\\n')", "text.trim().split('\\n')"],
    ],
    `@@
 export interface Options {
   readonly retries: number
+  readonly wait?: number
 }
@@
 export function parse(text: string): number[] {
-  const rows = text.split('\\n')
+  const rows = text.trim().split('\\n')
   const numbers = rows.map((row) => Number(row))
`,
  ),
  makefile: edit(
    'Makefile',
    makefile,
    [['cc -O1', 'cc -O2 -Wall']],
    `@@
 build:
 \tmkdir -p out
-\tcc -O1 -o out/app app.c
+\tcc -O2 -Wall -o out/app app.c

 test: build
`.replace('app.c\n\n', 'app.c\n \n'),
  ),
  yaml: edit(
    'config/app.yaml',
    yaml,
    [['    time: 30s\n', '    time: 60s\n    idle: 5s\n']],
    `@@
   limits:
     body: 1mb
-    time: 30s
+    time: 60s
+    idle: 5s
 client:
`,
  ),
  added: {
    path: 'notes/new.md',
    before: '',
    after: '# Notes\n\n  indented\n- a list\n',
    patch: framed('*** Add File: notes/new.md', '+# Notes', '+', '+  indented', '+- a list'),
  },
} as const satisfies Readonly<Record<string, Edit>>

/** How a file was shown to the model. */
export type View = 'plain' | 'numbered'

export interface Task {
  readonly edit: keyof typeof edits
  readonly mistake: keyof typeof mistakes | 'none'
  readonly view?: View
}

const each = (edit: Task['edit'], ...made: readonly Task['mistake'][]): readonly Task[] =>
  made.map((mistake) => ({ edit, mistake }))

export const tasks: readonly Task[] = [
  ...each('python', 'none', 'a fence around it', 'context without a sign', 'no indentation', 'a line as it might be'),
  ...each('python', 'half the name of a place', 'numbers of lines as in a diff', 'JSON again', 'one column less'),
  ...each('insert', 'words and a fence', 'context without a sign', 'no indentation', 'no end', 'an ellipsis'),
  ...each('second', 'a shell command', 'too little context', 'no beginning', 'half the name of a place'),
  ...each('typescript', 'ends of lines spelt out', 'names of files as in a diff', 'a line left out', 'words behind it'),
  ...each('typescript', 'a list of arguments', 'context without a sign', 'an ellipsis'),
  ...each('two', 'places in another order', 'lines of Windows', 'a fence around it', 'a line as it might be', 'none'),
  ...each('makefile', 'no indentation', 'context without a sign', 'numbers of lines as in a diff'),
  ...each('yaml', 'one column less', 'no indentation', 'a line as it might be'),
  ...each('added', 'a new file without signs', 'no end', 'JSON again'),
  { edit: 'python', mistake: 'numbers of lines copied', view: 'numbered' },
]
