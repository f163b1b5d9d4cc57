/** Kinds of characters, as tokenizers tell them apart. */
export const upper = 1
export const lower = 2
export const digit = 3
export const space = 4
export const blank = 5
export const newline = 6
export const mark = 7
/** From here on, letters of other scripts than plain Latin, in the order of `scripts`. */
export const foreign = 8

interface Script {
  readonly blocks: readonly (readonly [from: number, to: number])[]
  /** What a word costs by itself, what each of its characters adds, and what it costs more without a blank before it. */
  readonly first: number
  readonly each: number
  readonly bare: number
}

/** Latin with accents, Greek, Cyrillic, Armenian and Georgian, Hebrew, Arabic, Indic, Thai and its neighbours, kana, Hangul, Han, all others. */
export const scripts: readonly Script[] = [
  {
    blocks: [
      [0xc0, 0x36f],
      [0x1e00, 0x1eff],
    ],
    first: 0.25,
    each: 0.31,
    bare: 0.7,
  },
  {
    blocks: [
      [0x370, 0x3ff],
      [0x1f00, 0x1fff],
    ],
    first: 0.3,
    each: 0.36,
    bare: 0.5,
  },
  { blocks: [[0x400, 0x52f]], first: 0.45, each: 0.24, bare: 0.9 },
  {
    blocks: [
      [0x530, 0x58f],
      [0x10a0, 0x10ff],
    ],
    first: 0.6,
    each: 0.3,
    bare: 0.5,
  },
  { blocks: [[0x590, 0x5ff]], first: 0.5, each: 0.33, bare: 0.5 },
  {
    blocks: [
      [0x600, 0x8ff],
      [0xfb50, 0xfdff],
      [0xfe70, 0xfeff],
    ],
    first: 0.5,
    each: 0.32,
    bare: 0.5,
  },
  { blocks: [[0x900, 0xdff]], first: 0.5, each: 0.24, bare: 0.5 },
  { blocks: [[0xe00, 0x109f]], first: 0.3, each: 0.45, bare: 0 },
  {
    blocks: [
      [0x3040, 0x30ff],
      [0xff66, 0xff9f],
    ],
    first: 0.1,
    each: 0.7,
    bare: 0,
  },
  {
    blocks: [
      [0x1100, 0x11ff],
      [0x3130, 0x318f],
      [0xac00, 0xd7af],
    ],
    first: 0.2,
    each: 0.66,
    bare: 0.3,
  },
  {
    blocks: [
      [0x3400, 0x9fff],
      [0xf900, 0xfaff],
    ],
    first: 0.1,
    each: 0.84,
    bare: 0,
  },
  {
    blocks: [
      [0x1200, 0x1dff],
      [0xa000, 0xabff],
    ],
    first: 0.5,
    each: 0.9,
    bare: 0,
  },
]

/** The kind of every character, looked up because a prompt has many. */
export const classes: Uint8Array = new Uint8Array(0x10000).fill(mark)
classes.fill(blank, 0, 33)
classes[10] = newline
classes[13] = newline
classes[32] = space
classes[127] = blank
classes[0xa0] = blank
classes[0x3000] = blank
classes.fill(digit, 48, 58)
classes.fill(upper, 65, 91)
classes.fill(lower, 97, 123)
for (const [index, { blocks }] of scripts.entries()) {
  for (const [from, to] of blocks) classes.fill(foreign + index, from, to + 1)
}
