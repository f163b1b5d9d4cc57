import type { JsonObject } from '../../../protocol/json.ts'

/** What the vendor's models know of a tool that their clients run: the request only names its type. */
export interface ClientTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

/** The tool that a type such as `bash_20250124` stands for. The schemas are public (the vendor's SDKs have them). */
export function clientToolOf(type: string, fields: JsonObject): ClientTool | undefined {
  const [, family, version = ''] = /^(bash|text_editor|memory)_(\d{8})$/.exec(type) ?? []
  switch (family) {
    case 'bash':
      return bash
    case 'text_editor':
      return textEditor(version, fields['max_characters'])
    case 'memory':
      return memory
    default:
      return undefined
  }
}

const text = (description: string): JsonObject => ({ type: 'string', description })

function toSchema(required: readonly string[], properties: JsonObject): JsonObject {
  return { type: 'object', properties, required }
}

const bash: ClientTool = {
  name: 'bash',
  description:
    'Runs a command in a bash shell that keeps its state (working directory, variables) from one call to the next. Gives back what the command wrote.',
  parameters: toSchema([], {
    command: text('The command. Required unless the shell is restarted.'),
    restart: { type: 'boolean', description: 'true starts the shell anew, without a command.' },
  }),
}

const viewRange: JsonObject = {
  type: 'array',
  items: { type: 'integer' },
  description:
    '`view` of a file: the first and the last line to show, counted from 1, such as [11, 20]; -1 is the end.',
}

/** The last version that could undo, and had another name. */
const older = '20250124'

function textEditor(version: string, mostShown: unknown): ClientTool {
  const isOlder = version <= older
  const commands = ['view', 'create', 'str_replace', 'insert', ...(isOlder ? ['undo_edit'] : [])]
  const limit = typeof mostShown === 'number' ? ` A view shows at most ${mostShown} characters.` : ''
  // The vendor's models write `new_str` there, and later ones `insert_text`.
  const inserted = isOlder || version === '20250429' ? 'new_str' : 'insert_text'
  return {
    name: isOlder ? 'str_replace_editor' : 'str_replace_based_edit_tool',
    description: `Views, creates and edits text files.${limit}`,
    parameters: toSchema(['command', 'path'], {
      command: {
        type: 'string',
        enum: commands,
        description: `What to do. \`str_replace\` replaces the one place where \`old_str\` stands; \`insert\` puts \`${inserted}\` after line \`insert_line\`.`,
      },
      path: text('The absolute path of the file, or of a folder to view.'),
      file_text: text('`create`: the whole content of the file.'),
      old_str: text('`str_replace`: the text to replace, exactly as in the file, and only once in it.'),
      new_str: text(`\`str_replace\`: the new text.${inserted === 'new_str' ? ' `insert`: the text to insert.' : ''}`),
      insert_line: { type: 'integer', description: '`insert`: the line to insert after; 0 is the beginning.' },
      ...(inserted === 'insert_text' && { insert_text: text('`insert`: the text to insert.') }),
      view_range: viewRange,
    }),
  }
}

const memory: ClientTool = {
  name: 'memory',
  description:
    'Keeps notes from one conversation to the next, as text files below /memories. View /memories before anything else: earlier progress may stand there. Write down what must not be forgotten.',
  parameters: toSchema(['command'], {
    command: {
      type: 'string',
      enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'],
      description: 'What to do. All but `rename` need `path`; `rename` needs `old_path` and `new_path`.',
    },
    path: text('The file or folder, below /memories.'),
    file_text: text('`create`: the whole content of the file.'),
    old_str: text('`str_replace`: the text to replace, exactly as in the file, and only once in it.'),
    new_str: text('`str_replace`: the new text.'),
    insert_line: { type: 'integer', description: '`insert`: the line to insert after; 0 is the beginning.' },
    insert_text: text('`insert`: the text to insert.'),
    old_path: text('`rename`: the path as it is.'),
    new_path: text('`rename`: the new path.'),
    view_range: viewRange,
  }),
}
