import { expect, test } from 'vitest'
import { inUsualOrder, type Message } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { codexPatch } from '../constrain/codex-grammars.ts'
import { collect, context, createScripted, fold, says, toRequest, turnsOver } from '../turn/scripted.ts'
import { applyPatch } from './apply.ts'
import { mistakes } from './mistakes.ts'
import { type Edit, edits, type Task, tasks, type View } from './tasks.ts'

const apply: Tool = {
  kind: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', grammar: { syntax: 'lark', definition: codexPatch } },
}

const views: Readonly<Record<View, (text: string) => string>> = {
  plain: (text) => `Exit code: 0\nOutput:\n${text}`,
  numbered: (text) =>
    text
      .replace(/^/gm, '\0')
      .split('\0')
      .slice(1)
      .map((line, at) => `${String(at + 1).padStart(6)}\t${line}`)
      .join(''),
}

function conversation({ path, before }: Edit, view: View): readonly Message[] {
  const user: Message = { role: 'user', content: `Make the change in ${path}.` }
  if (before === '') return [user]
  const call = {
    id: 'c',
    kind: 'function',
    name: 'exec_command',
    arguments: JSON.stringify({ cmd: `cat ${path}` }),
  } as const
  return [
    user,
    { role: 'assistant', content: inUsualOrder({ calls: [call] }) },
    { role: 'tool', callId: 'c', content: views[view](before) },
  ]
}

const calling = (patch: string) =>
  says(`<tool_call>\n${JSON.stringify({ name: 'apply_patch', arguments: { input: patch } })}\n</tool_call>`)

const written = ({ edit, mistake }: Task): string =>
  mistake === 'none' ? edits[edit].patch : (mistakes[mistake]?.(edits[edit].patch) ?? '')

/** What the client gets from a model that writes the patch with its mistake, and without it once it is told of one. */
async function patchOf(task: Task, repair: number, then = edits[task.edit].patch): Promise<string> {
  const upstream = createScripted([calling(written(task)), calling(then)])
  const turns = turnsOver(upstream, { dialect: 'hermes', repair })
  const messages = conversation(edits[task.edit], task.view ?? 'plain')
  const answer = fold(await collect(await turns.start(toRequest(messages, { tools: [apply] }), context)))
  return answer.calls[0]?.arguments ?? ''
}

type Outcome = 'right' | 'refused' | 'wrong'

function outcomeOf({ edit }: Task, patch: string): Outcome {
  const { path, before, after } = edits[edit]
  const changed = applyPatch(patch, before === '' ? {} : { [path]: before })
  if (changed === undefined) return 'refused'
  return changed[path] === after ? 'right' : 'wrong'
}

/** How 40 edits end: as the model writes them, with what can be put right without asking, and with one question more. */
test('patches apply, and none of them makes another change than was meant', { timeout: 60_000 }, async () => {
  const figures = { written: count(), mended: count(), repaired: count() }
  const failed: string[] = []
  for (const task of tasks) {
    const ends = {
      written: outcomeOf(task, written(task)),
      mended: outcomeOf(task, await patchOf(task, 0)),
      repaired: outcomeOf(task, await patchOf(task, 1)),
    }
    for (const way of ['written', 'mended', 'repaired'] as const) figures[way][ends[way]] += 1
    if (ends.repaired !== 'right') failed.push(`${task.edit}, ${task.mistake}: ${ends.repaired}`)
    if (process.env['EDITS'] !== undefined)
      console.log(task.edit, '|', task.mistake, '|', Object.values(ends).join(' '))
  }
  expect({ tasks: tasks.length, ...figures, failed }).toMatchInlineSnapshot(`
    {
      "failed": [],
      "mended": {
        "refused": 9,
        "right": 29,
        "wrong": 2,
      },
      "repaired": {
        "refused": 0,
        "right": 40,
        "wrong": 0,
      },
      "tasks": 40,
      "written": {
        "refused": 27,
        "right": 3,
        "wrong": 10,
      },
    }
  `)
})

function count(): Record<Outcome, number> {
  return { right: 0, refused: 0, wrong: 0 }
}
