import type { Message } from '../../protocol/message.ts'
import { exchange } from './messages.ts'
import { define } from './task.ts'
import { list, object, text, tool, words } from './tools.ts'

/** What a coding agent asks all day: a long instruction, four tools, and a conversation that goes on. */

const read = tool('read', 'Read the contents of a file.', { path: text('Path to the file, relative or absolute') })
const bash = tool('bash', 'Execute a bash command in the current working directory. Returns stdout and stderr.', {
  command: text('Bash command to execute'),
})
const edit = tool('edit', 'Edit a file by replacing exact text. Each oldText must occur exactly once in the file.', {
  path: text('Path to the file to edit'),
  edits: list(
    object({ oldText: text('Exact text to find'), newText: text('Text to put in its place') }),
    'One or more replacements',
  ),
})
const write = tool('write', 'Write content to a file. Creates the file if it is not there, else overwrites it.', {
  path: text('Path to the file'),
  content: text('Content to write'),
})
const tools = [read, bash, edit, write] as const

const instructions: Message = {
  role: 'system',
  content: `You are an expert coding assistant. You help users by reading files, executing commands, editing code and writing new files.

Guidelines:
- Use bash for file operations like ls, grep and find.
- Read a file before you edit it.
- Use write only for new files or complete rewrites.
- When you sum up what you did, say it in plain text: do not use cat or bash to show it.
- Be concise. Show file paths clearly.

Current working directory: /home/user/project`,
}

export const ofAgents = define('agent', {
  'look into a file': (dice) => {
    const path = `src/${dice.pick(words)}.ts`
    return {
      before: [instructions],
      says: `What does ${path} export?`,
      tools,
      calls: [{ name: read.name, arguments: { path } }],
    }
  },
  'run the tests': (dice) => {
    const command = `npm test -- ${dice.pick(words)}`
    return {
      before: [instructions],
      says: `Run \`${command}\` and tell me whether it passes.`,
      tools,
      calls: [{ name: bash.name, arguments: { command } }],
    }
  },
  'create a file': (dice) => {
    const [path, word] = [`${dice.pick(words)}.txt`, dice.pick(words)]
    return {
      before: [instructions],
      says: `Create the file ${path} with the text "${word}" and nothing else.`,
      tools,
      calls: [{ name: write.name, arguments: { path, content: word } }],
    }
  },
  'change what was read': (dice) => {
    const [path, old, port] = [`${dice.pick(words)}.ini`, dice.whole(1_000, 4_999), dice.whole(5_000, 9_999)]
    return {
      before: [instructions],
      says: `Change the port in ${path} to ${port}.`,
      tools,
      after: exchange({ name: read.name, arguments: { path }, result: `[server]\nhost = localhost\nport = ${old}\n` }),
      calls: [
        {
          name: edit.name,
          arguments: { path, edits: [{ oldText: `port = ${old}`, newText: `port = ${port}` }] },
        },
      ],
    }
  },
  'say what came of it': (dice) => {
    const lines = dice.whole(100, 999)
    return {
      before: [instructions],
      says: 'How many lines does data.csv have?',
      tools,
      words: String(lines),
      after: exchange({ name: bash.name, arguments: { command: 'wc -l data.csv' }, result: `${lines} data.csv` }),
    }
  },
  'go on after a search': (dice) => {
    const path = `lib/${dice.pick(words)}/${dice.pick(words)}.py`
    return {
      before: [instructions],
      says: 'In which file is the function parse_header defined? Show me that file.',
      tools,
      after: exchange({
        name: bash.name,
        arguments: { command: 'grep -rn "def parse_header" .' },
        result: `./${path}:14:def parse_header(line):`,
      }),
      calls: [{ name: read.name, arguments: { path } }],
    }
  },
})
