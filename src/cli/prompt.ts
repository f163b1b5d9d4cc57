import { readRequest } from '../doors/openai-chat/request.ts'
import { GatewayError } from '../errors.ts'
import { defineVerb, UsageError } from './arguments.ts'
import { dialectNames, preparePrompt } from './compose.ts'
import { nameOf, Refusal, readJson } from './input.ts'

export const prompt = defineVerb({
  name: 'prompt',
  summary: 'print the messages a request becomes when its tools are taught in the prompt',
  flags: {
    request: { type: 'text', value: 'FILE', help: 'a chat completions request as JSON; - is standard input' },
    dialect: { type: 'text', value: 'NAME', choices: ['auto', ...dialectNames], help: 'the dialect to teach' },
  },
  async run({ request: path, dialect = 'auto' }, _operands, terminal) {
    if (path === undefined) throw new UsageError('prompt needs a request: --request FILE.')
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
