/** A tool as OpenAI's clients write it. */
export const writeFile = {
  type: 'function',
  function: {
    name: 'write_file',
    description: 'Write a file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' }, mode: { type: 'integer' } },
      required: ['path', 'content'],
    },
  },
} as const

export const given = { path: 'notes.txt', content: 'Für "alle":\n  <b>eins</b> & zwei\n', mode: 420 }

/** A text in pieces of so many characters. */
export async function* cut(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
