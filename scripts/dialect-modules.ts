import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dialect } from '../src/dialects/dialect.ts'
import { dialects } from '../src/dialects/registry.ts'
import { formsOf } from '../src/library/forms.ts'

/** The text of `dragoman/dialects/NAME`: the dialect with the parts of the reader that it needs, and no others. */
export function dialectModule(dialect: Dialect, source: string, extension: '.js' | '.ts'): string {
  const name = exportOf(dialect)
  const needed = formsOf(dialect).toSorted().join(', ')
  return [
    `import { ${name} as data } from '${source}/dialects/${dialect.name}${extension}'`,
    `import { ${needed} } from '${source}/engine/parts${extension}'`,
    `import { withForms } from '${source}/library/forms${extension}'`,
    `export const ${name} = /* @__PURE__ */ withForms(data, { ${needed} })`,
    '',
  ].join('\n')
}

/** Writes all of them beside what the compiler made in `dist`. */
export function writeDialectModules(dist: string): void {
  const folder = join(dist, 'library/dialects')
  mkdirSync(folder, { recursive: true })
  for (const dialect of dialects) {
    const types = [
      "import type { Dialect } from '../../dialects/dialect.js'",
      `/** The dialect \`${dialect.name}\`: ${dialect.models}. */`,
      `export declare const ${exportOf(dialect)}: Dialect`,
      '',
    ]
    writeFileSync(join(folder, `${dialect.name}.js`), dialectModule(dialect, '../..', '.js'))
    writeFileSync(join(folder, `${dialect.name}.d.ts`), types.join('\n'))
  }
}

function exportOf(dialect: Dialect): string {
  const source = `src/dialects/${dialect.name}.ts`
  const name = /^export const (\w+): Dialect\b/m.exec(readFileSync(source, 'utf8'))?.[1]
  if (name === undefined) throw new Error(`${source} exports no dialect`)
  return name
}
