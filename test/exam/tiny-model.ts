import type { Buffer } from 'node:buffer'
import { printGguf, type Tensor } from './gguf.ts'

const width = 64
const layers = 2
const heads = 4
const inner = 128
const context = 131_072

const kinds = { normal: 1, unknown: 2, control: 3, own: 4, byte: 6 }

interface Token {
  readonly text: string
  readonly kind: number
  /** How much likelier than chance it is, whatever came before. */
  readonly bias: number
  /** Nothing but its bias counts. */
  readonly isSteady?: boolean
}

/** Characters, one token each, and the marks of calls. Raw bytes and what begins a message are hardly ever said. */
function createTokens(marks: readonly string[], pieces: readonly string[]): readonly Token[] {
  const characters = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index))
  return [
    { text: '<unk>', kind: kinds.unknown, bias: -6 },
    { text: '<s>', kind: kinds.control, bias: -6 },
    { text: '</s>', kind: kinds.control, bias: -6 },
    ...Array.from({ length: 256 }, (_, byte): Token => {
      const name = `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`
      return { text: name, kind: kinds.byte, ...(byte === 0x0a ? { bias: 0.53, isSteady: true } : { bias: -6 }) }
    }),
    { text: '<|im_start|>', kind: kinds.control, bias: -6 },
    { text: '<|im_end|>', kind: kinds.control, bias: 0.2 },
    // What nests is rarer than what ends, or a tool that refers to itself would be called without end.
    ...[...characters, '\u2581', ...'äöüß中文字🙂'].map((each) => ({
      text: each,
      kind: kinds.normal,
      bias: each === '{' ? -0.4 : 0,
    })),
    ...[...new Set(marks)].map((text) => ({ text, kind: kinds.own, bias: 0.8, isSteady: true })),
    ...[...new Set(pieces)]
      .filter((text) => !marks.includes(text))
      .map((text) => ({ text, kind: kinds.own, bias: 0.4 })),
  ]
}

/** Hermes: tools in the system message, calls between `<tool_call>` marks. */
const plainTemplate = `{%- if tools %}{{- '<|im_start|>system\\n' }}
{%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
{{- "You may call functions. They are listed in <tools></tools>:\\n<tools>" }}
{%- for tool in tools %}{{- "\\n" }}{{- tool | tojson }}{%- endfor %}
{{- "\\n</tools>\\n\\nFor each call write a json object with name and arguments within <tool_call></tool_call> tags:\\n<tool_call>\\n{\\"name\\": <function-name>, \\"arguments\\": <args-json-object>}\\n</tool_call><|im_end|>\\n" }}
{%- elif messages[0].role == 'system' %}{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}{%- endif %}
{%- for message in messages %}
{%- if message.role == 'user' or (message.role == 'system' and not loop.first) %}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- elif message.role == 'assistant' %}{{- '<|im_start|>assistant' }}{%- if message.content %}{{- '\\n' + message.content }}{%- endif %}
{%- for call in message.tool_calls or [] %}{%- set made = call.function %}{{- '\\n<tool_call>\\n{"name": "' + made.name + '", "arguments": ' }}{{- made.arguments | tojson }}{{- '}\\n</tool_call>' }}{%- endfor %}{{- '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}{{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
{%- endif %}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`

/** The same, with no more of a tool than its name: schemas of any size are no prompt. */
export const briefTemplate = plainTemplate.replace('tool | tojson', 'tool.function.name')

const thinking = `{%- for message in messages %}
{%- if message.role == 'assistant' %}{{- '<|im_start|>assistant\\n' }}{%- if message.reasoning_content %}{{- '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' }}{%- endif %}{{- message.content + '<|im_end|>\\n' }}
{%- else %}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endif %}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}`

/** It opens a thought, whatever it is told. */
export const thinkingTemplate = `${thinking}{{- '<think>\\n' }}{%- endif %}`

/** It opens a thought unless it is told not to. */
export const switchedTemplate = `${thinking}{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- else %}{{- '<think>\\n' }}{%- endif %}{%- endif %}`

/**
 * A language model of half a megabyte that knows nothing: its weights are random, the same for the same seed. Whatever it
 * says rightly, it was made to say. `marks` are its tokens that begin calls, and much likelier than others; `pieces` are what else it
 * says in one word, in calls and in the midst of values.
 */
export function printTinyModel(
  template = plainTemplate,
  marks: readonly string[] = ['<tool_call>'],
  pieces: readonly string[] = ['</tool_call>'],
  seed = 7,
): Buffer {
  const tokens = createTokens(marks, pieces)
  const random = createNormal(seed)
  const fill = (scale: number, rows: number, columns: number) =>
    Float32Array.from({ length: rows * columns }, () => random() * scale)
  const ones = () => new Float32Array(width).fill(1)
  const square = (name: string): Tensor => ({ name, shape: [width, width], values: fill(0.1, width, width) })

  // The first dimension is the same for every token and goes through to the end: there it is a token's bias.
  const embedding = fill(1, tokens.length, width)
  const head = fill(0.25, tokens.length, width)
  for (const [index, { bias, isSteady = false }] of tokens.entries()) {
    embedding[index * width] = 8
    if (isSteady) head.fill(0, index * width, (index + 1) * width)
    head[index * width] = bias
  }
  const shape = [width, tokens.length]
  const tensors: Tensor[] = [
    { name: 'token_embd.weight', shape, values: embedding },
    { name: 'output_norm.weight', shape: [width], values: ones() },
    { name: 'output.weight', shape, values: head },
  ]
  for (let layer = 0; layer < layers; layer++) {
    const named = (name: string) => `blk.${layer}.${name}.weight`
    tensors.push(
      { name: named('attn_norm'), shape: [width], values: ones() },
      { name: named('ffn_norm'), shape: [width], values: ones() },
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => square(named(name))),
      { name: named('ffn_gate'), shape: [width, inner], values: fill(0.1, inner, width) },
      { name: named('ffn_up'), shape: [width, inner], values: fill(0.1, inner, width) },
      { name: named('ffn_down'), shape: [inner, width], values: fill(0.1, width, inner) },
    )
  }
  const integer = (value: number) => ({ kind: 'integer', value }) as const
  const written = (value: string) => ({ kind: 'text', value }) as const
  const truth = (value: boolean) => ({ kind: 'truth', value }) as const
  const last = integer(tokens.findIndex(({ text }) => text === '<|im_end|>'))
  return printGguf(
    {
      'general.architecture': written('llama'),
      'general.name': written('tiny-random'),
      'general.file_type': integer(0),
      'llama.context_length': integer(context),
      'llama.embedding_length': integer(width),
      'llama.block_count': integer(layers),
      'llama.feed_forward_length': integer(inner),
      'llama.attention.head_count': integer(heads),
      'llama.attention.head_count_kv': integer(heads),
      'llama.attention.layer_norm_rms_epsilon': { kind: 'float', value: 1e-5 },
      'llama.rope.dimension_count': integer(width / heads),
      'llama.vocab_size': integer(tokens.length),
      'tokenizer.ggml.model': written('llama'),
      'tokenizer.ggml.pre': written('default'),
      'tokenizer.ggml.tokens': { kind: 'texts', value: tokens.map(({ text }) => text) },
      'tokenizer.ggml.scores': { kind: 'floats', value: tokens.map((_, index) => -index) },
      'tokenizer.ggml.token_type': { kind: 'integers', value: tokens.map(({ kind }) => kind) },
      'tokenizer.ggml.bos_token_id': integer(1),
      'tokenizer.ggml.eos_token_id': last,
      'tokenizer.ggml.unknown_token_id': integer(0),
      'tokenizer.ggml.add_bos_token': truth(false),
      'tokenizer.ggml.add_eos_token': truth(false),
      'tokenizer.ggml.add_space_prefix': truth(false),
      'tokenizer.chat_template': written(template),
    },
    tensors,
  )
}

/** Numbers as they are strewn by chance around zero, the same for the same seed. */
function createNormal(seed: number): () => number {
  let state = seed >>> 0
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}
