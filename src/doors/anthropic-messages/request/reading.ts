import type { Note } from '../../../protocol/event.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { NoteKind } from '../../../protocol/note.ts'
import type { HostedTool } from '../../../protocol/tool.ts'
import type { ToolNames } from '../../shared/tools.ts'

/** What is found while a request is read. */
export interface Reading {
  readonly names: ToolNames
  /** The tools that results of the conversation made available. */
  readonly loaded: Set<string>
  /** Those that instructions on the way defined, and withdrew. */
  readonly defined: JsonObject[]
  readonly withdrawn: Set<string>
  /** Offered, and run by their vendor only. */
  readonly hosted: HostedTool[]
  readonly notes: Note[]
}

const most = 20

export function note({ notes }: Reading, kind: NoteKind, detail: string): void {
  if (notes.length < most) notes.push({ type: 'note', kind, detail })
}

/** A content as blocks: a string is one, and what is neither is none. */
export function toBlocks(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.flatMap((block): readonly JsonObject[] => {
    if (typeof block === 'string') return [{ type: 'text', text: block }]
    return isJsonObject(block) ? [block] : []
  })
}

export function textIn(fields: JsonObject, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
