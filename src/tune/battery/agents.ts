import type { Message } from '../../protocol/message.ts'
import { define, exchange, type WantedCall } from './task.ts'
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

const folder = '/home/user/project'

const instructions: Message = {
  role: 'system',
  content: `You are an expert coding assistant. You help users by reading files, executing commands, editing code and writing new files.

Guidelines:
- Use bash for file operations like ls, grep and find.
- Read a file before you edit it.
- Use write only for new files or complete rewrites.
- When you sum up what you did, say it in plain text: do not use cat or bash to show it.
- Be concise. Show file paths clearly.

Current working directory: ${folder}`,
}

/** Paths are told relative to the folder, or from the root. */
const bare = (path: unknown): string => String(path).replace(`${folder}/`, '').replace(/^\.\//, '')

/** A shell command will do, if it has all of these words in it. */
function byShell(...parts: readonly string[]): Required<Pick<WantedCall, 'also'>>['also'] {
  return ({ name, arguments: { command } }) => name === bash.name && parts.every((one) => String(command).includes(one))
}

function reading(path: string): WantedCall {
  const byCommand = byShell(path)
  return {
    name: read.name,
    arguments: { path },
    also: (call) => (call.name === read.name && bare(call.arguments['path']) === path) || byCommand(call),
  }
}

function running(command: string, ...parts: readonly string[]): WantedCall {
  return { name: bash.name, arguments: { command }, also: byShell(...parts) }
}

function writing(path: string, content: string): WantedCall {
  return {
    name: write.name,
    arguments: { path, content },
    also: (call) => {
      const { path: written, content: text } = call.arguments
      if (call.name !== write.name) return byShell(content, path)(call)
      return bare(written) === path && String(text).trim() === content.trim()
    },
  }
}

/** One replacement in a file whose text is known; the whole file written anew does as well. */
function editing(path: string, text: string, oldText: string, newText: string): WantedCall {
  const wanted = text.replace(oldText, newText)
  return {
    name: edit.name,
    arguments: { path, edits: [{ oldText, newText }] },
    also: ({ name, arguments: given }) => {
      if (bare(given['path']) !== path) return false
      if (name === write.name) return String(given['content']).trim() === wanted.trim()
      const edits = Array.isArray(given['edits']) ? (given['edits'] as readonly Record<string, unknown>[]) : []
      const made = edits.reduce((before, one) => before.replace(String(one['oldText']), String(one['newText'])), text)
      return name === edit.name && edits.length > 0 && made === wanted
    },
  }
}

export const ofAgents = define('agent', {
  'look into a file': (dice) => {
    const path = `src/${dice.pick(words)}.ts`
    return {
      before: [instructions],
      says: `What does ${path} export?`,
      tools,
      calls: [reading(path)],
    }
  },
  'run the tests': (dice) => {
    const command = `npm test -- ${dice.pick(words)}`
    return {
      before: [instructions],
      says: `Run \`${command}\` and tell me whether it passes.`,
      tools,
      calls: [running(command, command)],
    }
  },
  'create a file': (dice) => {
    const [path, word] = [`${dice.pick(words)}.txt`, dice.pick(words)]
    return {
      before: [instructions],
      says: `Create the file ${path} with the text "${word}" and nothing else.`,
      tools,
      calls: [writing(path, word)],
    }
  },
  'change what was read': (dice) => {
    const [path, old, port] = [`${dice.pick(words)}.ini`, dice.whole(1_000, 4_999), dice.whole(5_000, 9_999)]
    const result = `[server]\nhost = localhost\nport = ${old}\n`
    return {
      before: [instructions],
      says: `Change the port in ${path} to ${port}.`,
      tools,
      after: exchange({ name: read.name, arguments: { path }, result }),
      calls: [editing(path, result, `port = ${old}`, `port = ${port}`)],
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
      calls: [reading(path)],
    }
  },
  'look for a word': (dice) => {
    const word = dice.pick(words)
    return {
      before: [instructions],
      says: `Which files in this project mention "${word}"?`,
      tools,
      calls: [running(`grep -rl ${word} .`, 'grep', word)],
    }
  },
  'what a folder holds': (dice) => {
    const path = `packages/${dice.pick(words)}`
    return {
      before: [instructions],
      says: `What is in the folder ${path}?`,
      tools,
      calls: [running(`ls ${path}`, path)],
    }
  },
  'move a file': (dice) => {
    const [from, to] = dice.several(words, 2)
    return {
      before: [instructions],
      says: `Move ${from}.json to data/${to}.json.`,
      tools,
      calls: [running(`mv ${from}.json data/${to}.json`, 'mv', `${from}.json`, `data/${to}.json`)],
    }
  },
  'a value in a file': (dice) => {
    const path = `${dice.pick(words)}.toml`
    return {
      before: [instructions],
      says: `Which version does ${path} name?`,
      tools,
      calls: [reading(path)],
    }
  },
  'a look before a change': (dice) => {
    const path = `lib/${dice.pick(words)}.js`
    return {
      before: [instructions],
      says: `In ${path}, rename the function load to start.`,
      tools,
      calls: [reading(path)],
    }
  },
})
