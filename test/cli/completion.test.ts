import { execFileSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { createFolder, runDragoman } from '../dragoman.ts'

const place = createFolder()
afterAll(place.remove)

const script = runDragoman(['completion', 'bash'], place)

/** What bash offers after these words, by the script itself. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await script
  const ask = `${out}\nCOMP_WORDS=(dragoman "$@"); COMP_CWORD=$#; _dragoman; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', ask, 'bash', ...words], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

test.each<[readonly string[], readonly string[]]>([
  [['do'], ['doctor']],
  [['--stric'], ['--strict-port']],
  [
    ['serve', '--tools', ''],
    ['auto', 'native', 'template', 'prompt'],
  ],
  [['--tools', 'n'], ['native']],
  [['config', 's'], ['schema']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish', '--help'],
  ],
  [['doctor', '--j'], ['--json']],
  [['prompt', '--dialect', 'qwen3'], ['qwen3-coder']],
])('bash after %j offers %j', async (words, expected) => {
  expect(await offered(...words)).toEqual(expected)
})

test.each(['zsh', 'fish'])('%s gets every command with its options', async (shell) => {
  const { code, out } = await runDragoman(['completion', shell], place)
  expect(code).toBe(0)
  for (const word of ['doctor', 'explain', 'strict-port', 'native', 'opencode']) expect(out).toContain(word)
})

test('another shell is wrong usage', async () => {
  const { code, complaints } = await runDragoman(['completion', 'tcsh'], place)
  expect(code).toBe(2)
  expect(complaints).toContain('Which shell? Name one of bash, zsh, fish.')
})
