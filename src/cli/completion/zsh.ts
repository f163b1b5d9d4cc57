import type { Completed } from './completed.ts'

export function printZsh(verbs: readonly Completed[]): string {
  const [standard] = verbs
  return `#compdef dragoman
# zsh completion for dragoman
_dragoman() {
  local -a verbs
  verbs=(
${verbs.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join('\n')}
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
    if (takes === 'nothing') return quote(shown)
    if (takes === 'file') return quote(`${shown}:file:_files`)
    return quote(takes === 'anything' ? `${shown}:value: ` : `${shown}:value:(${takes.join(' ')})`)
  })
  const operand = words.length > 0 ? [quote(`1:what:(${words.join(' ')})`)] : [quote('*:file:_files')]
  return `      _arguments \\\n${[...specs, ...operand].map((spec) => `        ${spec}`).join(' \\\n')}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
