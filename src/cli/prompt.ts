import { readRequest } from '../doors/openai-chat/request.ts'
import { GatewayError } from '../errors.ts'
import { defineVerb, UsageError } from './arguments.ts'
import { preparePrompt } from './compose.ts'
import { dialectFlag } from './dialect-flag.ts'
import { nameOf, Refusal, readJson } from './input.ts'

export const prompt = defineVerb({
  name: 'prompt',
  summary: 'show the messages a model gets when tools go into the prompt',
  flags: {
    request: { type: 'text', value: 'FILE', help: 'chat completions request as JSON; - reads standard input' },
    dialect: { ...dialectFlag, help: 'format to teach tools in (`dragoman dialects` lists them)' },
  },
  examples: [['dragoman prompt --request request.json --dialect hermes', 'prints the messages as JSON']],
  async run({ request: path, dialect = 'auto' }, _operands, terminal) {
    if (path === undefined) throw new UsageError('Which request? Pass a file with --request FILE.')
    const body = await readJson(terminal, path)
    try {
      const { request } = readRequest(body)
      terminal.write(`${JSON.stringify(await preparePrompt(request, dialect), undefined, 2)}\n`)
      return 0
    } catch (error) {
      if (error instanceof GatewayError) throw new Refusal(`${nameOf(path)}: ${error.message}`)
      throw error
    }
  },
})
