/** How much of the schemas a grammar says: less where it would grow too large. */
export interface Detail {
  /** Up to so many members may stand in any order. */
  readonly anyOrder: number
  /** Lengths, ranges and patterns. */
  readonly bounds: boolean
  /** Whatever a schema says below a tool's own parameters. */
  readonly schemas: boolean
  /** Whether a nested value may stand in CDATA, where marks in it would end it. */
  readonly quotations: boolean
  /** Whether the marks that a value may not have are those of its own tool and key; else what those of all have in common. */
  readonly ownMarks: boolean
}

/** From the finest to the coarsest. */
export const details: readonly [Detail, ...Detail[]] = [
  { anyOrder: 4, bounds: true, schemas: true, quotations: true, ownMarks: true },
  { anyOrder: 2, bounds: true, schemas: true, quotations: true, ownMarks: false },
  { anyOrder: 0, bounds: false, schemas: true, quotations: false, ownMarks: false },
  { anyOrder: 0, bounds: false, schemas: false, quotations: false, ownMarks: false },
]

/** Something a schema says and the grammar does not. */
export interface Widening {
  readonly tool: string
  readonly keyword: string
}
