import { expect, test } from 'vitest'
import { callsOf } from '../../src/protocol/message.ts'
import type { QwenMessage } from '../doubles/qwen-chat.ts'
import { createSharedSessions, read, result, startStage, user } from './stage.ts'

const question = "What's in the package.json file?"
const said = "I'll read the package.json file.\n\n<read>\n<filePath>/home/user/package.json</filePath>\n</read>"
const found = '{"dependencies":{"express":"^4.18.0","axios":"^1.4.0"}}'
const last = 'The package.json file contains 2 dependencies: express version ^4.18.0 and axios version ^1.4.0.'

const taught = `You have access to tools that help you accomplish tasks. Use tools by outputting XML-formatted tool calls.

## Tool Use Rules
1. Use exactly one tool per message
2. Format tool calls using XML with the tool name as the tag
3. Include all required parameters within parameter tags

## Tool Call Format
<tool_name>
<parameter1>value1</parameter1>
<parameter2>value2</parameter2>
</tool_name>

## Available Tools

## read
Description: Read a file
Parameters:
- filePath: (required) string

Usage:
<read>
<filePath>/path/to/file</filePath>
</read>`

/** Answers from what it can see: the file once it has been shown. */
function answer(chain: readonly QwenMessage[]): string {
  const told = chain.map(({ content }) => content).join('\n')
  return told.includes(question) && told.includes(found) ? last : said
}

function toBody(chat: string, parent: string | null, ids: readonly [string, string], content: string): string {
  return (
    `{"stream":true,"version":"2.1","incremental_output":true,"chat_id":"${chat}","chat_mode":"normal",` +
    `"model":"qwen3-max","parent_id":${JSON.stringify(parent)},"timestamp":1761490229,` +
    `"messages":[{"fid":"${ids[0]}","parentId":${JSON.stringify(parent)},"parent_id":${JSON.stringify(parent)},` +
    `"childrenIds":["${ids[1]}"],"role":"user","content":${JSON.stringify(content)},"user_action":"chat","files":[],` +
    '"timestamp":1761490229,"models":["qwen3-max"],"chat_type":"t2t","sub_chat_type":"t2t",' +
    '"feature_config":{"thinking_enabled":false,"output_schema":"phase","research_mode":"normal",' +
    '"auto_thinking":false,"thinking_mode":"Disabled","thinking_format":"summary","auto_search":false},' +
    '"extra":{"meta":{"subChatType":"t2t"}}}]}'
  )
}

const newChat =
  '{"title":"New Chat","models":["qwen3-max"],"chat_mode":"normal","chat_type":"t2t","timestamp":1761490229218}'

async function runCycle(stage: Awaited<ReturnType<typeof startStage>>) {
  const asking = await stage.ask([user(question)], { tools: [read] })
  expect(asking.content).toMatchObject([
    { type: 'text', text: "I'll read the package.json file." },
    { type: 'call', call: { name: 'read', arguments: '{"filePath":"/home/user/package.json"}' } },
  ])
  const [call] = callsOf(asking)
  const history = [user(question), asking, result(call?.id ?? '', found)]
  expect(await stage.ask(history, { tools: [read] })).toEqual({ role: 'assistant', content: last })
  return stage.double.requests.map(({ method, path, text }) => [`${method} ${path}`, text])
}

test('a cycle in which every answer is a chat of its own, to the byte', async () => {
  const stage = await startStage({ answer })
  const replayed = [
    taught,
    'This is our conversation so far:',
    `[User]\n${question}`,
    `[Assistant]\n${said}`,
    `[User]\nTool Result from read:\n${found}`,
    'Now give your answer to the last message, as the assistant and without a label.',
  ].join('\n\n')
  expect(await runCycle(stage)).toEqual([
    ['POST /api/v2/chats/new', newChat],
    [
      'POST /api/v2/chat/completions?chat_id=chat-1',
      toBody('chat-1', null, ['id-2', 'id-3'], `${taught}\n\n${question}`),
    ],
    ['POST /api/v2/chats/new', newChat],
    ['POST /api/v2/chat/completions?chat_id=chat-4', toBody('chat-4', null, ['id-7', 'id-8'], replayed)],
  ])
})

test('a cycle that is continued sends only the result under the answer before it, to the byte', async () => {
  const stage = await startStage({ answer, sessions: createSharedSessions() })
  expect(await runCycle(stage)).toEqual([
    ['POST /api/v2/chats/new', newChat],
    [
      'POST /api/v2/chat/completions?chat_id=chat-1',
      toBody('chat-1', null, ['id-2', 'id-3'], `${taught}\n\n${question}`),
    ],
    [
      'POST /api/v2/chat/completions?chat_id=chat-1',
      toBody('chat-1', 'response-3', ['id-6', 'id-7'], `Tool Result from read:\n${found}`),
    ],
  ])
})
