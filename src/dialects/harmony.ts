import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <|channel|>analysis<|message|>dim it<|end|><|start|>assistant<|channel|>commentary to=functions.set_lamp <|constrain|>json<|message|>{"room": "den"}<|call|>
 */
export const harmony: Dialect = {
  name: 'harmony',
  models: 'gpt-oss',
  speaks: /gpt-?oss/i,
  grammar: {
    call: {
      open: ['<|start|>assistant<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>'],
      close: ['<|call|>'],
    },
    separator: '',
    arguments: { as: 'json' },
    frame: {
      open: ['<|start|>', '<|channel|>'],
      body: ['<|message|>'],
      close: ['<|end|>', '<|call|>', '<|return|>'],
      call: /to=functions\.([\w.:-]+)/,
      knownCall: /to=(?!assistant|user)([\w.:-]+)/,
      // Before the channel that counts there may be others, begun by mistake.
      thought:
        /^(?:(?:assistant|analysis|commentary|final)? ?<\|(?:start|channel)\|>)*(?:assistant ?)?analysis(?: ?<\|constrain\|>\w+| \w+)?<\|message\|>$/,
      text: /^(?:(?:assistant|analysis|commentary|final)? ?<\|(?:start|channel)\|>)*(?:assistant ?)?(?:final|commentary)(?: ?<\|constrain\|>\w+| \w+)?<\|message\|>$|^assistant<\|message\|>$/,
    },
  },
  // Headers of which a service showed only a part.
  variants: [
    {
      call: {
        open: ['', 'assistant ', 'commentary ', 'assistantcommentary '].flatMap((head) =>
          ['', '<|channel|>commentary\n', '<|channel|>analysis\n'].flatMap((channel) =>
            ['<|constrain|>json<|message|>', ' json<|message|>', '<|message|>', ' json', ''].map(
              (type) => `${head}to={name}${channel}${type}`,
            ),
          ),
        ),
        close: ['<|call|>', ''],
      },
      separator: '',
      arguments: { as: 'json' },
      marks: 'words',
    },
  ],
  teaching: lesson({
    tools: {
      style: 'typescript',
      open: 'namespace functions {\n\n',
      separator: '\n\n',
      close: '\n\n} // namespace functions\n\n',
    },
    how: 'To call a tool, write a message to it in the commentary channel: its recipient is functions.NAME and its text is the arguments as one JSON object.',
    result: '<|start|>functions.{name} to=assistant<|channel|>commentary<|message|>{content}<|end|>',
    resultSeparator: '',
  }),
}
