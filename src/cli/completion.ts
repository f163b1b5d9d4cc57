import { defineVerb, UsageError, type Verb } from './arguments.ts'

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

/** A command as a shell completes it. */
interface Completed {
  readonly name: string
  readonly summary: string
  readonly words: readonly string[]
  readonly flags: readonly CompletedFlag[]
}

interface CompletedFlag {
  readonly name: string
  readonly help: string
  /** What comes after it: nothing, one of these words, a file, or anything. */
  readonly takes: 'nothing' | 'file' | 'anything' | readonly string[]
}

/** Words alone: bash shows no descriptions. Names hold letters, digits and dashes only, so nothing needs quoting. */
function printBash(verbs: readonly Completed[]): string {
  const [standard] = verbs
  const flagsOf = (verb: Completed | undefined) => (verb?.flags ?? []).map(({ name }) => `--${name}`).join(' ')
  const values = new Map<string, string>()
  for (const { name: verb, flags } of verbs) {
    for (const { name, takes } of flags) {
      if (takes === 'file') values.set(`${verb}:--${name}`, 'COMPREPLY=($(compgen -f -- "$current"))')
      else if (takes === 'anything') values.set(`${verb}:--${name}`, 'COMPREPLY=()')
      else if (takes !== 'nothing') {
        values.set(`${verb}:--${name}`, `COMPREPLY=($(compgen -W "${takes.join(' ')}" -- "$current"))`)
      }
    }
  }
  return `# bash completion for dragoman
_dragoman() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" verb="${standard?.name ?? ''}" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in ${verbs.map(({ name }) => name).join('|')}) verb="$word"; break ;; esac
  done
  case "$verb:$previous" in
${[...values].map(([key, reply]) => `    ${key}) ${reply}; return ;;`).join('\n')}
  esac
  case "$verb" in
${verbs.map((verb) => `    ${verb.name}) word="${[...verb.words, flagsOf(verb)].join(' ')}" ;;`).join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then word="${verbs.map(({ name }) => name).join(' ')} ${flagsOf(standard)} --version"; fi
  COMPREPLY=($(compgen -W "$word" -- "$current"))
}
complete -o default -F _dragoman dragoman
`
}

function printFish(verbs: readonly Completed[]): string {
  const names = verbs.map(({ name }) => name).join(' ')
  const isFirst = `not __fish_seen_subcommand_from ${names}`
  const lines = verbs.flatMap((verb, index) => {
    const here = `__fish_seen_subcommand_from ${verb.name}`
    // Without a command the first one runs, so its options stand there, too.
    const where = index === 0 ? `${isFirst}; or ${here}` : here
    return [
      `complete -c dragoman -f -n ${quoteForFish(isFirst)} -a ${verb.name} -d ${quoteForFish(verb.summary)}`,
      ...(verb.words.length > 0
        ? [`complete -c dragoman -f -n ${quoteForFish(here)} -a ${quoteForFish(verb.words.join(' '))}`]
        : []),
      ...verb.flags.map(({ name, help, takes }) => {
        const flag = `complete -c dragoman -n ${quoteForFish(where)} -l ${name} -d ${quoteForFish(help)}`
        if (takes === 'nothing') return `${flag} -f`
        if (takes === 'file') return `${flag} -r -F`
        return takes === 'anything' ? `${flag} -x` : `${flag} -x -a ${quoteForFish(takes.join(' '))}`
      }),
    ]
  })
  return `# fish completion for dragoman\n${lines.join('\n')}\n`
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function printZsh(verbs: readonly Completed[]): string {
  const [standard] = verbs
  return `#compdef dragoman
# zsh completion for dragoman
_dragoman() {
  local -a verbs
  verbs=(
${verbs.map(({ name, summary }) => `    ${quoteForZsh(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe 'command' verbs
    return
  fi
  case $words[2] in
${verbs.map((verb) => `    ${verb.name})\n      shift words; (( CURRENT-- ))\n${printArguments(verb)}\n      ;;`).join('\n')}
    *)
${standard === undefined ? '' : printArguments(standard)}
      ;;
  esac
}
compdef _dragoman dragoman
`
}

function printArguments({ words, flags }: Completed): string {
  const specs = flags.map(({ name, help, takes }) => {
    const shown = `--${name}[${help.replace(/[[\]:\\]/g, ' ')}]`
    if (takes === 'nothing') return quoteForZsh(shown)
    if (takes === 'file') return quoteForZsh(`${shown}:file:_files`)
    return quoteForZsh(takes === 'anything' ? `${shown}:value: ` : `${shown}:value:(${takes.join(' ')})`)
  })
  const operand = words.length > 0 ? [quoteForZsh(`1:what:(${words.join(' ')})`)] : [quoteForZsh('*:file:_files')]
  return `      _arguments \\\n${[...specs, ...operand].map((spec) => `        ${spec}`).join(' \\\n')}`
}

function quoteForZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
