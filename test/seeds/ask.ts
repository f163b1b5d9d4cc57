/** A completion as JSON. */
export interface Completion {
  readonly id: string
  readonly object: string
  readonly created: number
  readonly model: string
  readonly choices: readonly [Choice]
  readonly usage: object
}

interface Choice {
  readonly index: number
  readonly message: {
    readonly role: string
    readonly content: string | null
    readonly tool_calls?: readonly { readonly id: string; readonly type: string; readonly function: object }[]
  }
  readonly finish_reason: string
}

export interface Chunk {
  readonly id: string
  readonly object: string
  readonly created: number
  readonly model: string
  readonly choices: readonly [{ readonly index: number; readonly delta: Delta; readonly finish_reason: string | null }]
}

interface Delta {
  readonly role?: string
  readonly content?: string | null
  readonly tool_calls?: readonly [
    {
      readonly index: number
      readonly id?: string
      readonly type?: string
      readonly function: { readonly name?: string; readonly arguments: string }
    },
  ]
}

async function post(origin: string, body: object): Promise<string> {
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
  return text
}

export async function complete(origin: string, body: object): Promise<Completion> {
  return JSON.parse(await post(origin, body)) as Completion
}

/** The chunks of a stream. Throws unless it is framed as it must be and ends with `[DONE]`. */
export async function stream(origin: string, body: object): Promise<readonly Chunk[]> {
  const events = (await post(origin, { ...body, stream: true })).split('\n\n')
  const data = events.map((event) => /^data: (.*)$/.exec(event)?.[1])
  if (data.at(-2) !== '[DONE]' || events.at(-1) !== '') throw new Error(`no [DONE] at the end: ${events.slice(-3)}`)
  return data.slice(0, -2).map((json) => JSON.parse(json ?? '') as Chunk)
}

/** What the chunks of a stream add up to, calls with the one chunk that began them. */
export function gather(chunks: readonly Chunk[]) {
  const deltas = chunks.map(({ choices: [{ delta }] }) => delta)
  const pieces = deltas.flatMap(({ tool_calls = [] }) => tool_calls)
  const begun = pieces.filter(({ id }) => id !== undefined)
  return {
    content: deltas.map(({ content }) => content ?? '').join(''),
    begun,
    arguments: begun.map(({ index }) =>
      pieces
        .filter((piece) => piece.index === index)
        .map((piece) => piece.function.arguments)
        .join(''),
    ),
    finish: chunks.map(({ choices: [{ finish_reason }] }) => finish_reason).filter((reason) => reason !== null),
  }
}
