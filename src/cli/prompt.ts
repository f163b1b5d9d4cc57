import { readRequest } from '../doors/openai-chat/request/request.ts'
import { GatewayError } from '../errors.ts'
import { dialectOf } from '../turn/plan.ts'
import { grammarFor, grammarForms } from '../turn/prompt/force/grammar.ts'
import { defaultSettings } from '../turn/settings.ts'
import { defineVerb, UsageError } from './arguments.ts'
import { preparePrompt } from './compose/prompt.ts'
import { dialectFlag } from './compose/vocabulary.ts'
import { nameOf, Refusal, readJson } from './terminal/input.ts'

export const prompt = defineVerb({
  name: 'prompt',
  summary: 'show the messages a model gets when tools go into the prompt',
  flags: {
    request: { type: 'text', value: 'FILE', help: 'chat completions request as JSON; - reads standard input' },
    dialect: { ...dialectFlag, help: 'format to teach tools in (`dragoman dialects` lists them)' },
    grammar: {
      type: 'text',
      value: 'FORM',
      choices: grammarForms,
      help: 'show the grammar that keeps the answer to valid calls instead',
    },
  },
  examples: [
    ['dragoman prompt --request request.json --dialect hermes', 'prints the messages as JSON'],
    ['dragoman prompt --request request.json --grammar gbnf', 'prints a grammar for llama.cpp'],
  ],
  async run({ request: path, dialect = 'auto', grammar: form }, _operands, terminal) {
    if (path === undefined) throw new UsageError('Which request? Pass a file with --request FILE.')
    const body = await readJson(terminal, path)
    try {
      const { request } = readRequest(body)
      const grammarForm = grammarForms.find((one) => one === form)
      if (grammarForm !== undefined) {
        const taught = dialectOf({ ...defaultSettings(request.model, []), dialect })
        const { text, widened } = grammarFor(request, taught, grammarForm)
        terminal.write(text)
        for (const { tool, keyword } of widened) {
          terminal.complain(`${tool}: the grammar can't say "${keyword}" and allows more.\n`)
        }
        return 0
      }
      terminal.write(`${JSON.stringify(await preparePrompt(request, dialect), undefined, 2)}\n`)
      return 0
    } catch (error) {
      if (error instanceof GatewayError) throw new Refusal(`${nameOf(path)}: ${error.message}`)
      throw error
    }
  },
})
