import { parseArgs } from 'node:util'
import { examineLlamaCpp } from './llama-cpp.ts'
import { examineOllama } from './ollama.ts'
import { type Figure, printFigures } from './rows.ts'

/**
 * The gateway in front of real model services, which you build or install yourself: `--llama-server PATH`, `--ollama PATH`. The model is
 * made here, of random weights, so that whatever is right was made right. `--runs N`: how often each question is asked.
 */
const { values } = parseArgs({
  options: { 'llama-server': { type: 'string' }, ollama: { type: 'string' }, runs: { type: 'string', default: '50' } },
})

const runs = Number(values.runs)
const figures: Figure[] = []
if (values['llama-server'] !== undefined) figures.push(...(await examineLlamaCpp(values['llama-server'], runs)))
if (values.ollama !== undefined) figures.push(...(await examineOllama(values.ollama, runs)))
if (figures.length === 0) {
  console.error('Nothing to examine. Name a service: --llama-server PATH or --ollama PATH')
  process.exitCode = 2
} else {
  console.log(printFigures(figures))
  process.exitCode = figures.some(({ met, of, isControl = false }) => met < of && !isControl) ? 1 : 0
}
