import { defineVerb, UsageError, type Verb } from '../arguments.ts'
import { printBash } from './bash.ts'
import type { Completed, CompletedFlag } from './completed.ts'
import { printFish } from './fish.ts'
import { printZsh } from './zsh.ts'

const shells = { bash: printBash, zsh: printZsh, fish: printFish } as const
const names = Object.keys(shells) as (keyof typeof shells)[]

/** The verb that prints a completion script; it completes itself, so it is handed all verbs late. */
export function defineCompletion(verbs: () => Promise<readonly Verb[]>): Verb {
  return defineVerb({
    name: 'completion',
    summary: 'print a completion script for your shell',
    operands: names.join('|'),
    maxOperands: 1,
    words: names,
    flags: {},
    examples: [
      ['eval "$(dragoman completion bash)"', 'in ~/.bashrc'],
      ['eval "$(dragoman completion zsh)"', 'in ~/.zshrc, after compinit'],
      ['dragoman completion fish | source', 'in ~/.config/fish/config.fish'],
    ],
    async run(_flags, [shell], terminal) {
      const name = names.find((one) => one === shell)
      if (name === undefined) throw new UsageError(`Which shell? Name one of ${names.join(', ')}.`)
      terminal.write(shells[name]((await verbs()).map(toCompleted)))
      return 0
    },
  })
}

function toCompleted({ name, summary, words, flags }: Verb): Completed {
  const own = Object.entries(flags).map(([flag, { type, value, choices, help }]): CompletedFlag => {
    const takes = type === 'switch' ? 'nothing' : (choices ?? (value === 'FILE' ? 'file' : 'anything'))
    return { name: flag, help, takes }
  })
  return { name, summary, words, flags: [...own, { name: 'help', help: 'show this help', takes: 'nothing' }] }
}
