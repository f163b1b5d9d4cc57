import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** What of `yaml` prints, changes or revives documents, or knows the older schemas. */
const unread =
  /\/yaml\/browser\/dist\/(?:stringify\/\w+|visit|parse\/(?:cst-(?:visit|stringify|scalar)|line-counter)|doc\/(?:createNode|applyReviver|anchors)|nodes\/toJS|nodes\/addPairToJSMap|schema\/json\/schema|schema\/yaml-1\.1\/\w+)\.js$/

/** What is left of a document that is only read: none of its methods. */
const document = `
import { DOC, NODE_TYPE } from '../nodes/identity.js'
import { Schema } from '../schema/Schema.js'
export class Document {
  comment = null
  commentBefore = null
  contents = null
  errors = []
  warnings = []
  constructor(_, options) {
    Object.defineProperty(this, NODE_TYPE, { value: DOC })
    this.options = options
    this.directives = options._directives.atDocument()
    this.schema = new Schema({ resolveKnownTags: true, schema: 'core', ...options })
  }
}`

/** The reader only reads YAML, so the other half of `yaml` stays out of the page: 10 kB of what it loads, zipped. */
export const readingYaml: Plugin = {
  name: 'reading-yaml',
  enforce: 'pre',
  load(id) {
    if (id.endsWith('/yaml/browser/dist/doc/Document.js')) return document
    if (!unread.test(id)) return undefined
    const names = /export \{([^}]*)\}/.exec(readFileSync(id, 'utf8'))?.[1]?.split(',') ?? []
    return ['const left = undefined', ...names.map((name) => `export { left as ${name.trim()} }`)].join('\n')
  },
}
