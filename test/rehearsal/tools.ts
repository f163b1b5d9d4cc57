import type { Json, JsonObject } from '../../src/protocol/json.ts'
import type { Tool } from '../../src/protocol/tool.ts'

/** A parameter: its type, an item in a list, members; `?` behind a name: optional; `|` between words: an enum. */
type Shape = string | readonly [Shape] | { readonly [name: string]: Shape }

function toSchema(shape: Shape, description?: string): JsonObject {
  const words = description === undefined ? {} : { description }
  if (typeof shape === 'string') return shape.includes('|') ? { enum: shape.split('|') } : { type: shape, ...words }
  if (isList(shape)) return { type: 'array', items: toSchema(shape[0]) }
  const names = Object.keys(shape)
  const properties = names.map((name): [string, Json] => [name.replace('?', ''), toSchema(shape[name] ?? '')])
  const required = names.filter((name) => !name.endsWith('?'))
  return { type: 'object', properties: Object.fromEntries(properties), required, ...words }
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape)
}

function tool(name: string, shape: Shape, description = ''): Tool {
  return { kind: 'function', name, description, parameters: toSchema(shape) }
}

function custom(name: string, description: string): Tool {
  return { kind: 'custom', name, description }
}

const text = 'string'

/** Tools that run something, as coding agents declare them. */
export const shells: readonly Tool[] = [
  tool('bash', { command: text, 'timeout?': 'integer', 'workdir?': text }),
  tool('Bash', { command: text, 'description?': text, 'dangerouslyDisableSandbox?': 'boolean' }),
  tool('PowerShell', { command: text, description: text }),
  tool('exec_command', {
    cmd: text,
    'shell?': text,
    'prefix_rule?': [text],
    'sandbox_permissions?': 'use_default|all',
  }),
  tool('write_stdin', { session_id: 'number', 'chars?': text }),
  tool('write_stdin', { session_id: 'number', chars: text }),
  tool('run_commands', { commands: [text] }),
  tool('run_commands', { commands: [{ command: text, 'cwd?': text }] }),
  tool('execute_command', { command: text, requires_approval: 'boolean' }),
  tool('run_shell_command', { command: text, is_background: 'boolean', 'directory?': text }),
  tool('run_terminal_cmd', { command: text, explanation: text, is_background: 'boolean' }),
  tool('shell', { command: [text], 'workdir?': text }),
  tool('shell', { input: text }),
  tool('shell', { command: 'reboot|ls' }),
  tool('local_shell', { action: { type: 'exec', command: [text], 'env?': {} } }),
  tool('terminal', { 'session?': text, text }),
  tool('background_process', { action: 'start|stop|list', 'command?': text }),
  tool('Monitor', { description: text, timeout_ms: 'number', 'command?': text }),
  tool('Workflow', { script: text, 'args?': text }),
  tool('python', { code: text }),
  tool('mcp__box__runner', { argv: [text] }),
  tool('do_it', { cmd: text }),
  tool('sandbox', { argv: [text] }),
  tool('jupyter', { script: text }),
  tool('execute_sql', { sql: text }),
  tool('docker_exec', { container: text, cmd: [text] }),
  tool('spawn_process', { program: text, args: [text] }),
  custom('exec', 'Run JavaScript code to compose tool calls, for example `await tools.exec_command(...)`.'),
  custom('shell', 'Runs the text in a shell.'),
]

/** Tools that change files or what an agent remembers. */
export const writers: readonly Tool[] = [
  tool('write', { content: text, filePath: text }, 'The path must be absolute.'),
  tool('Write', { file_path: text, content: text }, 'The absolute path to the file to write'),
  tool('write_file', { file_path: text, content: text }),
  tool('write_to_file', { absolutePath: text, content: text, 'task_progress?': text }),
  tool('edit', { filePath: text, oldString: text, newString: text, 'replaceAll?': 'boolean' }),
  tool('Edit', { file_path: text, old_string: text, new_string: text }),
  tool('edit', { path: text, edits: [{ oldText: text, newText: text }] }),
  tool('multi_edit', { file_path: text, edits: [{ old_string: text, new_string: text }] }),
  tool('editor', { path: text, new_text: text, 'old_text?': text, 'insert_line?': 'integer' }),
  tool('replace_in_file', { absolutePath: text, diff: text }),
  tool('NotebookEdit', { notebook_path: text, new_source: text, 'edit_mode?': 'replace|insert|delete' }),
  tool('str_replace_based_edit_tool', { command: 'view|create|str_replace', path: text, 'file_text?': text }),
  tool('memory', { command: 'view|create|delete', path: text, 'file_text?': text }),
  tool('save_memory', { fact: text }),
  tool('sync', { path: text, body: text }),
  tool('file_system', { operation: 'delete|move|modify', path: text, content: text }),
  tool('send_email', { to: text, subject: text, body: text }),
  custom('apply_patch', 'Use the `apply_patch` tool to edit files.'),
  custom('patch', 'Patch'),
]

/** Tools that take away, or put something where it cannot be had back: no argument makes them harmless. */
export const destroyers: readonly Tool[] = [
  tool('delete_file', { path: text }),
  tool('delete_directory', { directory: text }),
  tool('removeFolder', { folder: text, recursive: 'boolean' }),
  tool('move_file', { source_path: text, destination_path: text }),
  tool('rename_file', { path: text, new_path: text }),
  tool('wipe', { dir: text }),
  tool('clean_workspace', { directory: text }),
  tool('drop_database', { name: text }),
  tool('git_reset', {}),
  tool('kill_process', { pid: 'integer' }),
  tool('rm', { path: text }),
  tool('overwrite_and_delete', { path: text, content: text }),
  tool('file_manager', { action: 'delete|move', path: text, content: text }),
  tool('shell', { command: 'rm|reset' }),
]

/** Tools that look at files, and at the network. */
export const readers: readonly Tool[] = [
  tool('read', { filePath: text, 'offset?': 'integer' }, 'The absolute path to the file or directory to read'),
  tool('Read', { file_path: text, 'pages?': text }, 'file_path must be an absolute path.'),
  tool('read_file', { path: text, 'start_line?': 'integer' }),
  tool('read_files', { files: [{ path: text, 'start_line?': 'integer' }] }, 'Reads files at absolute paths.'),
  tool('view_image', { path: text }),
  tool('list_files', { path: text, 'recursive?': 'boolean' }),
  tool('List', { dirpath: text }),
  tool('list_directory', { path: text }, 'The absolute path to the directory to list'),
  tool('list_code_definition_names', { path: text }),
  tool('glob', { pattern: text, 'path?': text }),
  tool('grep', { pattern: text, 'path?': text, 'include?': text }),
  tool('search_files', { path: text, regex: text, 'file_pattern?': text }),
  tool('search_codebase', { queries: [text] }),
]
export const fetchers: readonly Tool[] = [
  tool('webfetch', { url: text, format: 'text|markdown' }),
  tool('WebFetch', { url: text, prompt: text }),
  tool('fetch_web_content', { requests: [{ url: text, prompt: text }] }),
  tool('access_mcp_resource', { server_name: text, uri: text }),
  tool('http_request', { method: 'POST|DELETE|GET', url: text, 'body?': text }),
  tool('query_database', { query: text }),
  tool('archive', { folder: text, 'target?': text }),
]

export const weather = tool('get_weather', { city: text, 'unit?': 'celsius|fahrenheit' }, 'The weather in a city')
