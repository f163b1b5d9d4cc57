import { parsePythonLiteral } from '../schema/python-literal.ts'
import { readEnvelopeCall } from './answer/envelopes.ts'
import { readMessage } from './answer/messages.ts'
import { named, readUntagged } from './answer/named.ts'
import { readMarkedSection, readSection } from './answer/sections.ts'
import { jsonForm, xmlForm } from './forms/json/form.ts'
import { pseudoForm } from './forms/pseudo.ts'
import { keywordsForm } from './forms/pythonic.ts'
import { taggedForm } from './forms/tagged/form.ts'
import { yamlForm } from './forms/yaml/form.ts'
import { allEntriesOf } from './marks/name-entries.ts'
import { readTokens } from './marks/template.ts'

/* The parts of a reader, by their names in `Forms`: who reads few dialects brings those that these need. */

export const envelope = readEnvelopeCall
export const json = /* @__PURE__ */ named(jsonForm)
export const keywords = /* @__PURE__ */ named(keywordsForm)
export const list = readSection
export const literal = parsePythonLiteral
export const messages = readMessage
export const name = readUntagged
export const names = allEntriesOf
export const pseudo = /* @__PURE__ */ named(pseudoForm)
export const section = readMarkedSection
export const slots = readTokens
export const tagged = /* @__PURE__ */ named(taggedForm)
export const xml = /* @__PURE__ */ named(xmlForm)
export const yaml = /* @__PURE__ */ named(yamlForm)
