import { parseArgs } from 'node:util'
import { examineGrammars } from './grammars.ts'
import { examineLlamaCpp } from './llama-cpp.ts'
import { examineOllama } from './ollama.ts'
import { type Figure, isMissed, printFigure, type Tell } from './rows.ts'
import { examineSchemas } from './schemas.ts'

/**
 * The gateway in front of real model services, which you build or install yourself: `--llama-server PATH`, `--ollama PATH`. The model is
 * made here, of random weights, so that whatever is right was made right. `--runs N`: how often each question is asked. `--grammars`: llama.cpp is asked with our
 * grammars, for one dialect of each form; with `--dialects all` for every dialect, with `--dialects hermes,pythonic` for these.
 * `--schemas`: llama.cpp is given tools with schemas that servers refuse, or with those of a file of JSON lines `{id, schema}`: `--schemas-of FILE`.
 * So is a server that runs already, of any kind: `--endpoint URL`.
 */
const { values } = parseArgs({
  options: {
    'llama-server': { type: 'string' },
    ollama: { type: 'string' },
    endpoint: { type: 'string' },
    runs: { type: 'string', default: '50' },
    grammars: { type: 'boolean', default: false },
    schemas: { type: 'boolean', default: false },
    'schemas-of': { type: 'string' },
    dialects: { type: 'string', default: 'forms' },
  },
})

const runs = Number(values.runs)
const figures: Figure[] = []
const tell: Tell = (figure) => {
  figures.push(figure)
  console.log(printFigure(figure))
}
const { 'llama-server': llamaServer, ollama, endpoint, grammars, dialects, schemas, 'schemas-of': file } = values
if (endpoint !== undefined) await examineSchemas({ endpoint }, file, tell)
if (llamaServer !== undefined) {
  if (schemas || file !== undefined) await examineSchemas({ llamaServer }, file, tell)
  else if (grammars) await examineGrammars(llamaServer, runs, dialects, tell)
  else for (const figure of await examineLlamaCpp(llamaServer, runs)) tell(figure)
}
if (ollama !== undefined) for (const figure of await examineOllama(ollama, runs)) tell(figure)
if (figures.length === 0) {
  console.error('Nothing to examine. Name a service: --llama-server PATH, --ollama PATH or --endpoint URL')
  process.exitCode = 2
} else process.exitCode = figures.some(isMissed) ? 1 : 0
