import { z } from 'zod'
import { strict, wholeNumber } from './values/fields.ts'

const mostTokens = 1_000_000_000_000
const moneyWords = 'an amount of money such as 5 or 0.15'
const money = z.number({ error: moneyWords }).min(0, { error: moneyWords }).max(1_000_000_000, { error: moneyWords })

/** What a key or a team may use up in a day or a month of UTC. */
export const budgetFields = {
  tokens_per_day: wholeNumber(1, mostTokens)
    .optional()
    .describe('The most tokens a day, in UTC, prompts and answers together.'),
  tokens_per_month: wholeNumber(1, mostTokens).optional().describe('The most tokens a month.'),
  cost_per_day: money.optional().describe("The most money a day, by the models' `price`."),
  cost_per_month: money.optional().describe('The most money a month.'),
}

export const budgetSchema = strict(budgetFields)

export interface Budget {
  readonly tokensPerDay?: number | undefined
  readonly tokensPerMonth?: number | undefined
  readonly costPerDay?: number | undefined
  readonly costPerMonth?: number | undefined
}

export const priceSchema = strict({
  input: money.default(0).describe('For a million tokens of prompt.'),
  output: money.default(0).describe('For a million tokens of answer.'),
})

/** What a million tokens cost. */
export interface Price {
  readonly input: number
  readonly output: number
}

const perPrice = 1_000_000

export function costOf({ input, output }: Price, promptTokens: number, completionTokens: number): number {
  return (promptTokens * input + completionTokens * output) / perPrice
}

export function toBudget(file: z.output<typeof budgetSchema>): Budget {
  return {
    tokensPerDay: file.tokens_per_day,
    tokensPerMonth: file.tokens_per_month,
    costPerDay: file.cost_per_day,
    costPerMonth: file.cost_per_month,
  }
}
