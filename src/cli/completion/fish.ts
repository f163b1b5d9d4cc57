import type { Completed } from './completed.ts'

export function printFish(verbs: readonly Completed[]): string {
  const names = verbs.map(({ name }) => name).join(' ')
  const isFirst = `not __fish_seen_subcommand_from ${names}`
  const lines = verbs.flatMap((verb, index) => {
    const here = `__fish_seen_subcommand_from ${verb.name}`
    // Without a command the first one runs, so its options stand there, too.
    const where = index === 0 ? `${isFirst}; or ${here}` : here
    return [
      `complete -c dragoman -f -n ${quote(isFirst)} -a ${verb.name} -d ${quote(verb.summary)}`,
      ...(verb.words.length > 0 ? [`complete -c dragoman -f -n ${quote(here)} -a ${quote(verb.words.join(' '))}`] : []),
      ...verb.flags.map(({ name, help, takes }) => {
        const flag = `complete -c dragoman -n ${quote(where)} -l ${name} -d ${quote(help)}`
        if (takes === 'nothing') return `${flag} -f`
        if (takes === 'file') return `${flag} -r -F`
        return takes === 'anything' ? `${flag} -x` : `${flag} -x -a ${quote(takes.join(' '))}`
      }),
    ]
  })
  return `# fish completion for dragoman\n${lines.join('\n')}\n`
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
