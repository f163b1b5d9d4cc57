import { dialectNames } from './compose/vocabulary.ts'

/** How a dialect is named on the command line; each verb adds what it does with it. */
export const dialectFlag = {
  type: 'text',
  value: 'NAME',
  choices: ['auto', ...dialectNames],
  listedBy: 'dragoman dialects',
} as const
