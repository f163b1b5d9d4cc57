/** How much of the schemas a grammar says: less where it would grow too large. */
export interface Detail {
  /** Up to so many members may stand in any order. */
  readonly anyOrder: number
  /** Lengths, ranges and patterns. */
  readonly bounds: boolean
  /** Whatever a schema says below a tool's own parameters. */
  readonly schemas: boolean
  /** Whether a value may stand in CDATA, where its marks would end it. */
  readonly quotations: boolean
}

/** From the finest to the coarsest. */
export const details: readonly Detail[] = [
  { anyOrder: 4, bounds: true, schemas: true, quotations: true },
  { anyOrder: 2, bounds: true, schemas: true, quotations: true },
  { anyOrder: 0, bounds: false, schemas: true, quotations: false },
  { anyOrder: 0, bounds: false, schemas: false, quotations: false },
]

/** Something a schema says and the grammar does not. */
export interface Widening {
  readonly tool: string
  readonly keyword: string
}
