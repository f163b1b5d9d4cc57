import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/** A mark, and the blanks that some put around its word. */
function blanks(mark: string): readonly string[] {
  const [, open = '', word = '', close = ''] = /^(<[^>]*>)(.*)(<\|sep\|>)$/.exec(mark) ?? []
  return [mark, `${open} ${word} ${close}`, `${open} ${word}${close}`, `${open}${word} ${close}`]
}

/**
 * <|open|>tools<|sep|><|open|>call tool="set_lamp" index="1"<|sep|><|open|>argument key="room" type="string"<|sep|>den<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
 */
export const kimiK3: Dialect = {
  name: 'kimi-k3',
  models: 'Kimi K3',
  speaks: /kimi-?k[3-9]/i,
  grammar: {
    section: { open: blanks('<|open|>tools<|sep|>'), close: blanks('<|close|>tools<|sep|>') },
    call: {
      open: blanks('<|open|>call tool="{name}" index="{id}"<|sep|>'),
      close: blanks('<|close|>call<|sep|>'),
    },
    separator: '',
    arguments: {
      as: 'tagged',
      open: '<|open|>argument key="{key}" type="{type}"<|sep|>',
      close: '<|close|>argument<|sep|>',
      also: blanks('<|open|>argument key="{key}" type="{type}"<|sep|>')
        .slice(1)
        .flatMap((open) => blanks('<|close|>argument<|sep|>').map((close) => ({ open, close }))),
      layout: 'inline',
    },
    ids: { template: '{number}', first: 1 },
  },
  reasoning: [{ open: ['<|open|>think<|sep|>'], close: ['<|close|>think<|sep|>'] }],
  dropped: [
    ...['response', ' response ', 'message'].flatMap((tag) => [`<|open|>${tag}<|sep|>`, `<|close|>${tag}<|sep|>`]),
    '<|end_of_msg|>',
  ],
  leading: ['response', ' response ', 'message'].map((tag) => `<|open|>${tag}<|sep|>`),
  teaching: lesson({
    tools: { style: 'sorted-json', open: '[', separator: ',', close: ']\n\n' },
    how: 'To call tools, open <|open|>tools<|sep|>, write a call element with the attributes tool and index for each, with an argument element with the attributes key and type per argument, and close them as they were opened.',
    result: '<|open|>result tool="{name}" index="{id}"<|sep|>{content}<|close|>result<|sep|>',
    resultSeparator: '',
  }),
}
