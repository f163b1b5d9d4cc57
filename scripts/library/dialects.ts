import { readFileSync } from 'node:fs'
import { dialects } from '../../src/dialects/registry.ts'
import { formsOf } from '../../src/library/forms.ts'

/** One module a dialect, for those who pick them one by one: the dialect with the parts of the reader that it needs. */
export function dialectModules(): readonly { readonly path: string; readonly text: string }[] {
  return dialects.map((dialect) => {
    const source = `src/dialects/${dialect.name}.ts`
    const name = /^export const (\w+): Dialect\b/m.exec(readFileSync(source, 'utf8'))?.[1]
    if (name === undefined) throw new Error(`${source} exports no dialect`)
    const needed = formsOf(dialect).toSorted()
    const given = needed.join(', ')
    const about = `The dialect \`${dialect.name}\`: ${dialect.models}.`
    return {
      path: `src/library/dialects/${dialect.name}.ts`,
      text: [
        '// Made by `npm run library`.',
        ...[
          "import type { Dialect } from '../../dialects/dialect.ts'",
          `import { ${name} as data } from '../../dialects/${dialect.name}.ts'`,
        ].toSorted(byPath),
        `import { ${given} } from '../../engine/parts.ts'`,
        "import { withForms } from '../forms.ts'",
        '',
        `/** ${about} */`,
        `export const ${name}: Dialect = /* @__PURE__ */ withForms(data, { ${given} })`,
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
