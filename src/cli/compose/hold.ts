import type { Turns } from '../../turn/turn.ts'

/** Turns that wait until it is known which models there are: a model that is about to be found must not be refused. */
export function holdTurns(turns: Turns, known: Promise<void> | undefined): Turns {
  if (known === undefined) return turns
  let waiting: Promise<void> | undefined = known.then(() => {
    waiting = undefined
  })
  const after = <T>(go: () => Promise<T>): Promise<T> => (waiting === undefined ? go() : waiting.then(go))
  return {
    start: (request, context) => after(() => turns.start(request, context)),
    models: (signal) => after(() => turns.models(signal)),
    model: (name, signal) => after(() => turns.model(name, signal)),
    countTokens: (request, context) => after(() => turns.countTokens(request, context)),
    embed: (request, context) => after(() => turns.embed(request, context)),
  }
}
