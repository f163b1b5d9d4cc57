/** One of the recipes in ARCHITECTURE.md, followed with something made up. */
export interface Recipe {
  readonly adds: 'dialect' | 'upstream' | 'flavour' | 'door'
  /** New files, by their path. */
  readonly files: Readonly<Record<string, string>>
  readonly registry: string
  /** The import, and the entry in the list that the registry exports under this name. */
  readonly line: { readonly import: string; readonly list: string; readonly entry: string }
}

const dialect: Recipe = {
  adds: 'dialect',
  files: {
    'src/dialects/made-up.ts': `import type { Dialect } from './dialect.ts'

/** <made_up_call>{"name": "set_lamp", "arguments": {"room": "den", "level": 3}}</made_up_call> */
export const madeUp: Dialect = {
  name: 'made-up',
  models: 'none',
  grammar: {
    call: { open: ['<made_up_call>'], close: ['</made_up_call>'] },
    separator: '\\n',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments' },
  },
  teaching: {
    intro: 'These tools are made up:\\n\\n',
    tools: { style: 'openai-json', open: '<made_up_tools>\\n', separator: '\\n', close: '\\n</made_up_tools>\\n\\n' },
    rules: 'Call one like this:\\n\\n{example}\\n\\nThen wait for its made up result.',
    result: '<made_up_result>{content}</made_up_result>',
    resultSeparator: '\\n',
  },
}
`,
    'test/goldens/made-up.golden': `## one call
On it.
<made_up_call>{"name": "set_lamp", "arguments": {"room": "den", "level": 3}}</made_up_call>
=> text "On it."
=> call set_lamp {"room": "den", "level": 3}
`,
  },
  registry: 'src/dialects/registry.ts',
  line: { import: "import { madeUp } from './made-up.ts'", list: 'dialects', entry: 'madeUp' },
}

const upstream: Recipe = {
  adds: 'upstream',
  files: {
    'src/upstreams/made-up/kind.ts': `import { z } from 'zod'
import { text, urlWords } from '../../config/values/fields.ts'
import { GatewayError } from '../../errors.ts'
import { isJsonObject, parseJson } from '../../protocol/json.ts'
import { gateFields } from '../fields.ts'
import { defineKind } from '../kind.ts'
import type { UpstreamEvent } from '../upstream.ts'
import { type BodyReader, expectWords, openStream, refusalOf } from '../wire/stream.ts'
import { createHttpClient } from '../wire/undici-client.ts'

interface MadeUpSettings {
  readonly url: string
  readonly key?: string | undefined
}

/** A service that says one JSON object a line: {"say": "Hi"}, and {"over": true} at the end. */
export const madeUp = defineKind({
  kind: 'made-up',
  fields: () => ({
    url: z.url({ protocol: /^https?$/, error: urlWords }),
    key: text('a key').optional(),
    ...gateFields,
  }),
  toSettings: (file): MadeUpSettings => file,
  create: (name, { url, key = '' }, { timeouts, limits }) => {
    const client = createHttpClient(new URL(url), timeouts)
    return {
      name,
      kind: 'made-up',
      toolsInWords: true,
      async *chat(request, signal) {
        expectWords(name, request)
        const stream = {
          upstream: name,
          client,
          timeouts,
          answerBytes: limits?.answerBytes,
          reader: createLineReader(name),
          request: {
            method: 'POST' as const,
            path: '/ask',
            headers: { 'content-type': 'application/json', authorization: \`Bearer \${key}\` },
            body: JSON.stringify({ model: request.model, messages: request.messages }),
          },
          async expect(head: Parameters<typeof refusalOf>[1], body: () => Promise<string>) {
            if (head.status >= 200 && head.status < 300) return
            throw refusalOf(name, head, await body(), [key])
          },
        }
        yield* openStream(stream, signal)
      },
      models: async () => [],
      probe: async () => ({ nativeTools: 'no' }),
      close: async () => await client.close(),
    }
  },
})

function createLineReader(upstream: string): BodyReader {
  const decoder = new TextDecoder()
  let rest = ''
  let done = false

  function read(line: string, into: UpstreamEvent[]): void {
    if (line === '' || done) return
    const value = parseJson(line)
    if (!isJsonObject(value)) throw new GatewayError('upstream_malformed', \`\${upstream}: a line is no object.\`)
    if (value['over'] === true) done = true
    else if (typeof value['say'] === 'string') into.push({ type: 'text', text: value['say'] })
  }

  return {
    push(bytes, into) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\\n')
      rest = lines.pop() ?? ''
      for (const line of lines) read(line, into)
      return lines.length > 0
    },
    end(into) {
      read(rest, into)
      if (!done) throw new GatewayError('upstream_truncated', \`\${upstream}: it never said that it was over.\`)
      into.push({ type: 'finish', reason: 'stop' })
    },
    get done() {
      return done
    },
  }
}
`,
    'test/upstreams/contract/wires/made-up.ts': `import { secret, type Wire } from '../wire.ts'

export const wire: Wire = {
  file: (origin) => ({ kind: 'made-up', url: origin, key: secret }),
  says: (pieces) => pieces.map((say) => \`\${JSON.stringify({ say })}\\n\`),
  end: ['{"over": true}\\n'],
}
`,
  },
  registry: 'src/upstreams/registry.ts',
  line: { import: "import { madeUp } from './made-up/kind.ts'", list: 'kinds', entry: 'madeUp' },
}

const flavour: Recipe = {
  adds: 'flavour',
  files: {
    'src/upstreams/flavours/made-up.ts': `import { type Flavour, plainTraits } from './flavour.ts'

export const madeUp: Flavour = {
  name: 'made-up',
  hosts: ['made-up.example'],
  traits: { ...plainTraits, nativeTools: 'yes', maxTokens: 'max_completion_tokens', toolChoice: 'words' },
}
`,
  },
  registry: 'src/upstreams/flavours/registry.ts',
  line: { import: "import { madeUp } from './made-up.ts'", list: 'flavours', entry: 'madeUp' },
}

const door: Recipe = {
  adds: 'door',
  files: {
    'src/doors/made-up/door.ts': `import { GatewayError } from '../../errors.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { type Door, type Exchange, type StreamPrinter, reply } from '../door.ts'

/** A question in, words out. */
export const madeUp: Door = {
  name: 'made-up',
  routes: [{ method: 'POST', path: '/made-up/ask', read }],
  owns: (path) => path.startsWith('/made-up'),
  printError: ({ status, message }) => reply(JSON.stringify({ wrong: message }), status),
}

function read(body: unknown): Exchange {
  const { model, question, stream } = isJsonObject(body) ? body : {}
  if (typeof model !== 'string' || typeof question !== 'string')
    throw new GatewayError('invalid_type', "Expected 'model' and 'question' to be texts.", { param: 'question' })
  const request = {
    model,
    messages: [{ role: 'user' as const, content: question }],
    tools: [],
    sampling: {},
    extra: {},
  }
  return {
    model,
    streaming: stream === true,
    reportsUsage: false,
    requests: [request],
    createStream,
    printBody: ([events = []]) => {
      const words = events.map((event) => (event.type === 'text-delta' ? event.text : ''))
      return JSON.stringify({ answer: words.join('') })
    },
  }
}

function createStream(): StreamPrinter {
  return {
    contentType: 'text/plain; charset=utf-8',
    open: () => '',
    push: (_, events) => events.map((event) => (event.type === 'text-delta' ? event.text : '')).join(''),
    end: () => '',
    fail: ({ message }) => \`\\n\${message}\`,
  }
}
`,
  },
  registry: 'src/doors/registry.ts',
  line: { import: "import { madeUp } from './made-up/door.ts'", list: 'doors', entry: 'madeUp' },
}

export const recipes: readonly Recipe[] = [dialect, upstream, flavour, door]

/** The registry with one more line. */
export function withLine(text: string, { import: statement, list, entry }: Recipe['line']): string {
  const place = new RegExp(`(export const ${list}\\b[^\\n]*= \\[)([\\s\\S]*?)(\\n?\\])`)
  if (!place.test(text)) throw new Error(`there is no list ${list}`)
  const listed = text.replace(place, (_, open: string, entries: string, close: string) => {
    return `${open}${entries.trimEnd().replace(/,$/, '')}, ${entry}${close}`
  })
  return `${statement}\n${listed}`
}
