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
  /**
   * The marks that a value may not have: those of its own tool and key, those of its key and what tools' names begin with, what both
   * begin with, or no more than what stands before a name.
   */
  readonly marks: 'own' | 'key' | 'short' | 'first'
}

/** From the finest to the coarsest. */
export const details: readonly [Detail, ...Detail[]] = [
  { anyOrder: 4, bounds: true, schemas: true, quotations: true, marks: 'own' },
  { anyOrder: 2, bounds: true, schemas: true, quotations: true, marks: 'key' },
  { anyOrder: 0, bounds: false, schemas: true, quotations: false, marks: 'short' },
  { anyOrder: 0, bounds: false, schemas: false, quotations: false, marks: 'first' },
]

/** Something a schema says and the grammar does not. */
export interface Widening {
  readonly tool: string
  readonly keyword: string
}
