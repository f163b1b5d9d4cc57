interface Noted {
  readonly kind: string
  readonly detail?: string | undefined
  /** Which call it is about: as the inspector tells it, and as the engine does. */
  readonly call?: number | undefined
  readonly index?: number | undefined
}

interface Gathered<Note> {
  readonly note: Note
  times: number
}

/** The same thing said again of the same call is counted, not repeated. */
export function gathered<Note extends Noted>(notes: readonly Note[]): readonly Gathered<Note>[] {
  const found = new Map<string, Gathered<Note>>()
  for (const note of notes) {
    const key = JSON.stringify([note.kind, note.detail, note.call ?? note.index])
    const known = found.get(key)
    if (known === undefined) found.set(key, { note, times: 1 })
    else known.times++
  }
  return [...found.values()]
}
