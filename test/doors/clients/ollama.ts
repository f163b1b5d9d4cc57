import type { ClientRequest } from './client-request.ts'

const object = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'get_weather', description: 'Weather', parameters: object } }]
const question = { role: 'user', content: 'weather?' }
const call = (id: string, city: string, more: object = {}) => ({
  id,
  ...more,
  function: { name: 'get_weather', arguments: { city } },
})

export const ollama: readonly ClientRequest[] = [
  [
    'ollama-js: options and how long to keep the model',
    {
      messages: [{ role: 'system', content: 's' }, question],
      options: {
        ...{ temperature: 0.1, num_ctx: 8192, num_predict: 50, stop: ['X'], top_k: 5, top_p: 0.9 },
        ...{ min_p: 0.05, seed: 1, repeat_penalty: 1.1 },
      },
      keep_alive: '5m',
      stream: false,
    },
    ['weather?'],
  ],
  [
    'ollama-js: a picture, tools and thinking',
    { messages: [{ ...question, images: ['AQID'] }], tools, stream: true, think: true },
    ['weather?'],
  ],
  [
    'ollama-js: results with the name of the tool alone',
    {
      messages: [
        { ...question, images: ['AQID'] },
        {
          role: 'assistant',
          content: 'Checking.',
          thinking: 'Hmm',
          tool_calls: [call('call_1', 'Oslo'), call('call_2', 'Rome')],
        },
        { role: 'tool', tool_name: 'get_weather', content: 'sunny' },
        { role: 'tool', tool_name: 'get_weather', content: 'sunny' },
      ],
      tools,
      stream: true,
      think: 'low',
    },
    ['weather?', 'sunny', 'Checking.'],
  ],
  [
    'ollama-js: a schema, logprobs, no thinking',
    {
      messages: [question],
      format: object,
      think: false,
      logprobs: true,
      top_logprobs: 2,
      stream: false,
    },
    ['weather?'],
  ],
  [
    'ollama-js: JSON, and the model let go',
    { messages: [question], format: 'json', keep_alive: 0, stream: false },
    ['weather?'],
  ],
  [
    'ollama-js: generate with everything empty that can be',
    {
      ...{ prompt: 'hi', system: 's', suffix: '', template: '', raw: false, format: 'json' },
      ...{ options: { temperature: 0 }, stream: false },
    },
    ['hi'],
  ],
  ['ollama-js: generate with a picture', { prompt: 'hi', stream: true, images: ['AQ=='] }, ['hi']],
  [
    'LangChain: results with neither id nor name, ids of its own',
    {
      options: { temperature: 0 },
      tools,
      messages: [
        question,
        {
          role: 'assistant',
          content: 'Checking.',
          tool_calls: [
            call('ce93d964-99bb-4eaa-bddb-1ceb3a79e988', 'Oslo', { type: 'function' }),
            call('43d23268-8603-4cd3-9574-a57fee8dfd65', 'Rome', { type: 'function' }),
          ],
        },
        { role: 'tool', content: 'sunny' },
        { role: 'tool', content: 'sunny' },
      ],
      stream: true,
    },
    ['weather?', 'sunny', 'Checking.'],
  ],
  [
    'an older client: arguments as a string, a result in OpenAI’s form',
    {
      messages: [
        question,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
        },
        { role: 'tool', name: 'get_weather', content: [{ type: 'text', text: 'sunny' }] },
      ],
      tools,
    },
    ['weather?', 'sunny'],
  ],
]
