import type { Completed } from './completed.ts'

/** Words alone: bash shows no descriptions. Names hold letters, digits and dashes only, so nothing needs quoting. */
export function printBash(verbs: readonly Completed[]): string {
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
