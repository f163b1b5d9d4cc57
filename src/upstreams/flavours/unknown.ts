import { type Flavour, plainTraits } from './flavour.ts'

/** Any other service. */
export const unknown: Flavour = { name: 'unknown', traits: plainTraits }
