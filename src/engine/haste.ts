import { Loop } from './answer/loops.ts'
import { endOfItems, ends } from './forms/json/glances.ts'

/* Parts that a reader can do without: what they say is what it would find out. They make it fast with loops and damaged texts. */

export const glances = { endOfItems, ends }
export const loops = Loop
