import type { FoldedCall } from '../protocol/fold.ts'
import { isJsonObject, parseJson, parseObject } from '../protocol/json.ts'
import type { Message } from '../protocol/message.ts'
import type { Request } from '../protocol/request.ts'
import type { Tool } from '../protocol/tool.ts'

const weather: Tool = {
  kind: 'function',
  name: 'get_weather',
  description: 'Get the current weather of one city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
  },
}

const add: Tool = {
  kind: 'function',
  name: 'add_numbers',
  description: 'Add two numbers.',
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
}

/** Something a model that can call tools gets right, and how to tell that it did. */
export interface Task {
  readonly request: Pick<Request, 'messages' | 'tools' | 'toolChoice'>
  isDone(calls: readonly FoldedCall[]): boolean
}

const user = (content: string): readonly Message[] => [{ role: 'user', content }]

function argumentsOf({ arguments: json }: FoldedCall): Readonly<Record<string, unknown>> {
  return parseObject(json) ?? {}
}

function asks(call: FoldedCall | undefined, city: string): boolean {
  if (call?.name !== weather.name) return false
  const { city: asked } = argumentsOf(call)
  return typeof asked === 'string' && asked.toLowerCase().includes(city)
}

export const tasks = {
  single: {
    request: { messages: user('What is the weather in Paris? Use the tool get_weather.'), tools: [weather, add] },
    isDone: (calls) => calls.length === 1 && asks(calls[0], 'paris'),
  },
  required: {
    request: {
      messages: user('Weather in Rome, please. Use the tool get_weather.'),
      tools: [weather, add],
      toolChoice: { mode: 'required' },
    },
    isDone: (calls) => calls.some((call) => asks(call, 'rome')),
  },
  named: {
    request: {
      messages: user('Add the numbers 2 and 3. Use the tool add_numbers.'),
      tools: [weather, add],
      toolChoice: { mode: 'named', name: add.name },
    },
    isDone: ([call]) => call?.name === add.name && typeof argumentsOf(call)['a'] === 'number',
  },
  parallel: {
    request: {
      messages: user(
        'Call the tool get_weather for Paris and the tool get_weather for Tokyo, both at once, in this one answer.',
      ),
      tools: [weather],
    },
    isDone: (calls) => ['paris', 'tokyo'].every((city) => calls.some((call) => asks(call, city))),
  },
} as const satisfies Record<string, Task>

export const hello = user('Say hello in one short sentence.')

const word = 'PINEAPPLE'

/** A model that reads its system message answers with a certain word. */
export const obedience = {
  messages: [
    { role: 'system', content: `Whatever the user says, answer with the single word ${word}.` },
    { role: 'user', content: 'How are you?' },
  ] satisfies readonly Message[],
  isDone: (text: string) => text.toUpperCase().includes(word),
}

/** Two messages of the user in a row, which strict chat templates refuse. */
export const twoInARow: readonly Message[] = [
  ...user('I have a question.'),
  ...user('Say hello in one short sentence.'),
]

/** A prompt of about this many tokens: longer than Ollama's default context. */
export function longPrompt(tokens: number): readonly Message[] {
  const line = 'The quick brown fox jumps over the lazy dog near the old river bank. '
  return user(`${line.repeat(Math.ceil(tokens / 15))}\nSay hello in one short sentence.`)
}

export const schemaFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'answer',
    schema: {
      type: 'object',
      properties: { city: { type: 'string' }, country: { type: 'string' } },
      required: ['city', 'country'],
      additionalProperties: false,
    },
  },
}

export const schemaQuestion = user('Which city is the capital of France? Answer as JSON with city and country.')

export function fitsSchema(text: string): boolean {
  const value = parseJson(text.trim())
  return isJsonObject(value) && typeof value['city'] === 'string' && typeof value['country'] === 'string'
}
