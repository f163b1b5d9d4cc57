import type { Call } from '../../../protocol/call.ts'
import { isDeeperThan, isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { readCallMetadata } from '../../../protocol/provider-metadata.ts'
import { array, type Check, defined, fail, filledText, object, oneOf, text } from '../../shared/fields.ts'
import type { Faults } from './faults.ts'

/** Arguments of a call in the history. They are printed back to the model, so they must be an object; blank means none. */
const historyArguments: Check<string> = (value, path) => {
  const read = text(value, path)
  if (read.trim() === '') return '{}'
  const malformed = (rule: string): never =>
    fail('malformed_tool_arguments', `Invalid '${path}': ${rule} Send the arguments as the model gave them.`, path)
  let parsed: unknown
  try {
    parsed = JSON.parse(read)
  } catch {
    malformed('the arguments are not valid JSON.')
  }
  if (!isJsonObject(parsed)) malformed('the arguments must be a JSON object in a string.')
  if (isDeeperThan(parsed, 128)) malformed('the arguments are nested more than 128 levels deep.')
  return read
}

function readArguments(value: unknown, path: string, faults: Faults): string {
  return faults.mend(
    () => historyArguments(value, path),
    () => (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)),
  )
}

const callType = oneOf('function', 'custom')

function readCall(value: unknown, path: string, index: number, faults: Faults): Call {
  const fields = object(value, path)
  const id = faults.mend(
    () => filledText(fields['id'], `${path}.id`),
    () => '',
  )
  const kind = faults.mend(
    () => callType(fields['type'], `${path}.type`),
    () => 'function' as const,
  )
  const inner = object(fields[kind], `${path}.${kind}`)
  const name = filledText(inner['name'], `${path}.${kind}.name`)
  return defined({
    id: id || `call_message${index}_${path.slice(path.lastIndexOf('[') + 1, -1)}`,
    kind,
    name,
    arguments:
      kind === 'function'
        ? readArguments(inner['arguments'], `${path}.function.arguments`, faults)
        : text(inner['input'], `${path}.custom.input`),
    metadata: readCallMetadata(fields),
  })
}

/** An assistant's `tool_calls`. */
export function readCalls(value: unknown, path: string, index: number, faults: Faults): readonly Call[] {
  if (value === undefined || value === null) return []
  const read = () => array((entry, at) => readCall(entry, at, index, faults), { min: 1 })(value, path)
  return Array.isArray(value) && value.length === 0 ? faults.mend(read, () => []) : read()
}

/** The older single call, which has no id: its place in the conversation makes one. */
export function readFunctionCall(value: unknown, path: string, index: number, faults: Faults): Call {
  const fields: JsonObject = object(value, path)
  return {
    id: `call_message${index}`,
    kind: 'function',
    name: filledText(fields['name'], `${path}.name`),
    arguments: readArguments(fields['arguments'], `${path}.arguments`, faults),
  }
}
