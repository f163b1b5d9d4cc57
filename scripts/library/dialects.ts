import { readFileSync } from 'node:fs'
import { dialects } from '../../src/dialects/registry.ts'
import { formsOf } from '../../src/library/forms.ts'

/** Where each form stands that is no JSON, and what it is called there. */
const forms = {
  children: ['readChildren', 'tagged-form.ts'],
  keywords: ['readKeywords', 'pythonic.ts'],
  pseudo: ['readPseudo', 'pseudo.ts'],
  tagged: ['readTaggedForm', 'tagged-form.ts'],
  yaml: ['readYamlBody', 'yaml-body.ts'],
} as const

/** One module a dialect, for those who pick them one by one: the dialect with the forms it is written in. */
export function dialectModules(): readonly { readonly path: string; readonly text: string }[] {
  return dialects.map((dialect) => {
    const source = `src/dialects/${dialect.name}.ts`
    const name = /^export const (\w+): Dialect\b/m.exec(readFileSync(source, 'utf8'))?.[1]
    if (name === undefined) throw new Error(`${source} exports no dialect`)
    const needed = formsOf(dialect).toSorted()
    const imports = needed.map((form) => `import { ${forms[form][0]} } from '../../engine/forms/${forms[form][1]}'`)
    const given = needed.map((form) => `${form}: ${forms[form][0]}`).join(', ')
    const about = `The dialect \`${dialect.name}\`: ${dialect.models}.`
    return {
      path: `src/library/dialects/${dialect.name}.ts`,
      text: [
        '// Made by `npm run library`.',
        ...[
          "import type { Dialect } from '../../dialects/dialect.ts'",
          `import { ${name} as data } from '../../dialects/${dialect.name}.ts'`,
        ].toSorted(byPath),
        ...imports,
        "import { withForms } from '../forms.ts'",
        '',
        `/** ${about} */`,
        `export const ${name}: Dialect = /* @__PURE__ */ withForms(data, {${given === '' ? '' : ` ${given} `}})`,
        '',
      ].join('\n'),
    }
  })
}

/** As the linter wants imports. */
function byPath(a: string, b: string): number {
  const [first = '', second = ''] = [a, b].map((line) => line.split(' from ')[1])
  return first < second ? -1 : 1
}
