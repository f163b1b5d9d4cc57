/** What models do wrong with patches, as far as issue threads and small models show it. */
export const mistakes: Readonly<Record<string, (patch: string) => string>> = {
  'a fence around it': (patch) => `\`\`\`diff\n${patch}\`\`\``,
  'words and a fence': (patch) => `Here is the patch:\n\n\`\`\`\n${patch}\`\`\`\n\nIt does what you want.`,
  'JSON again': (patch) => JSON.stringify({ patch }),
  'a shell command': (patch) => `apply_patch <<'EOF'\n${patch}EOF\n`,
  'a list of arguments': (patch) => JSON.stringify(['apply_patch', patch]),
  'no end': (patch) => patch.replace('*** End Patch\n', ''),
  'no beginning': (patch) => patch.replace('*** Begin Patch\n', ''),
  'words behind it': (patch) => `${patch}\nDone!`,
  'lines of Windows': (patch) => patch.replaceAll('\n', '\r\n'),
  'ends of lines spelt out': (patch) => JSON.stringify(patch).slice(1, -1),
  'context without a sign': (patch) => patch.replace(/^ /gm, ''),
  'numbers of lines as in a diff': (patch) => patch.replace(/^@@.*$/m, '@@ -1,7 +1,8 @@'),
  'names of files as in a diff': (patch) => patch.replace(/^(\*\*\* Update File: (.*))$/m, '$1\n--- a/$2\n+++ b/$2'),
  'half the name of a place': (patch) => patch.replace(/^@@ (\w+ \w+).*$/m, '@@ $1'),
  'no indentation': (patch) => patch.replace(/^([-+ ])[ \t]+/gm, '$1'),
  'one column less': (patch) => patch.replace(/^([-+ ]) /gm, '$1'),
  'an ellipsis': (patch) => patch.replace(/^ .*$/m, ' ...'),
  'a line left out': (patch) => patch.replace(/^( .*\n)( .*\n)( .*\n)/m, '$1$3'),
  'a line as it might be': (patch) => patch.replace(/^( .*\w)(\W*)$/m, '$1_value$2'),
  'numbers of lines copied': (patch) => {
    let line = 3
    return patch.replace(
      /^([- ])(.*)$/gm,
      (_, sign: string, text: string) => `${sign}${String(line++).padStart(6)}\t${text}`,
    )
  },
  'too little context': (patch) => patch.replace(/^@@.*\n/m, '@@\n').replace(/^ .*\n/gm, ''),
  'places in another order': (patch) => {
    const [head = '', ...hunks] = patch.replace('*** End Patch\n', '').split(/^(?=@@)/m)
    return `${head}${hunks.toReversed().join('')}*** End Patch\n`
  },
  'a new file without signs': (patch) => patch.replace(/^\+/gm, ''),
}
