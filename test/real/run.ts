import { parseArgs } from 'node:util'
import { examineGrammars } from './grammars.ts'
import { examineLlamaCpp } from './llama-cpp.ts'
import { examineOllama } from './ollama.ts'
import { type Figure, printFigures } from './rows.ts'

/**
 * The gateway in front of real model services, which you build or install yourself: `--llama-server PATH`, `--ollama PATH`. The model is
 * made here, of random weights, so that whatever is right was made right. `--runs N`: how often each question is asked. `--grammars`: llama.cpp is asked with our
 * grammars, for one dialect of each form; with `--dialects all` for every dialect, with `--dialects hermes,pythonic` for these.
 */
const { values } = parseArgs({
  options: {
    'llama-server': { type: 'string' },
    ollama: { type: 'string' },
    runs: { type: 'string', default: '50' },
    grammars: { type: 'boolean', default: false },
    dialects: { type: 'string', default: 'forms' },
  },
})

const runs = Number(values.runs)
const figures: Figure[] = []
const { 'llama-server': llamaServer, ollama, grammars, dialects } = values
if (llamaServer !== undefined) {
  figures.push(
    ...(await (grammars ? examineGrammars(llamaServer, runs, dialects) : examineLlamaCpp(llamaServer, runs))),
  )
}
if (ollama !== undefined) figures.push(...(await examineOllama(ollama, runs)))
if (figures.length === 0) {
  console.error('Nothing to examine. Name a service: --llama-server PATH or --ollama PATH')
  process.exitCode = 2
} else {
  console.log(printFigures(figures))
  process.exitCode = figures.some(({ met, of, isControl = false }) => met < of && !isControl) ? 1 : 0
}
