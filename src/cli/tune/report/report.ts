import { categories } from '../../../tune/battery/task.ts'
import type { Standing, Summary } from '../../../tune/summary.ts'
import type { Trial } from '../../../tune/trial.ts'
import { percent, quantity, rate, time, tokens } from '../figures.ts'
import { chosenOf, printSettings, sayVerdict } from '../words.ts'
import { printCosts, printCourse, printSuccess } from './charts.ts'
import { escaped } from './html.ts'
import { style } from './style.ts'

interface About {
  readonly model: string
  readonly place: string
  readonly margin: number
  readonly alpha: number
  readonly seed: number
  readonly version: string
  readonly date: Date
}

/** Everything that was found out, as one page that needs nothing else. */
export function printReport(summary: Summary, trials: readonly Trial[], about: About): string {
  const { standings, recommendation } = summary
  const chosen = chosenOf(recommendation)
  const measured = standings.filter(({ success }) => success.of > 0)
  const sentences = sayVerdict(summary, about).map((sentence) => `<p>${escaped(sentence)}</p>`)
  const isSure = recommendation.kind === 'winner' || recommendation.kind === 'equal'
  const settings = chosen === undefined ? '' : `<pre>${escaped(printSettings(about.model, chosen).join('\n'))}</pre>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(about.model)}: which tool format works best</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1>Which tool format works best with ${escaped(about.model)}</h1>
<p>${escaped(about.place)} · ${summary.rounds} tasks, ${summary.requests} answers · ${about.date.toISOString().slice(0, 10)} · seed ${about.seed} · Dragoman ${escaped(about.version)}</p>
</header>
<section class="verdict${isSure ? '' : ' unsure'}">${sentences.join('\n')}${settings}</section>
${
  measured.length === 0
    ? ''
    : `<section><h2>Success</h2><p class="hint">The dot is what was measured, the line is where the true rate lies.</p>
${printSuccess(measured, chosen)}</section>
<section><h2>How it settled</h2><p class="hint">Success so far, task by task. A line that ends early dropped out of the race.</p>
${printCourse(measured, trials, chosen, about.alpha)}</section>
<section><h2>All figures</h2><p class="hint">Rates in percent, each with its ${percent(1 - about.alpha)} interval; tokens and times are medians.</p>
<div class="scroll">${printFigures(standings, chosen)}</div></section>
<section><h2>By kind of task</h2><p class="hint">Tasks done, of those that came up.</p>
<div class="scroll">${printHeat(measured)}</div></section>
<div class="two">
<section><h2>Prompt tokens</h2><p class="hint">What a request costs.</p>${printCosts(measured, chosen, ({ promptTokens }) => promptTokens, tokens)}</section>
<section><h2>Time for an answer</h2><p class="hint">From the request to the last token.</p>${printCosts(measured, chosen, ({ totalMs }) => totalMs, time)}</section>
</div>`
}
${printMethod(about)}
</main>
</body>
</html>
`
}

function printFigures(standings: readonly Standing[], chosen: string | undefined): string {
  const heads = ['way', 'tasks', 'success', 'valid calls', 'repaired', 'prompt tokens', 'first token', 'whole answer']
  const rows = standings.map(({ way, exit, success, valid, repaired, promptTokens, firstMs, totalMs }) => {
    const state = way === chosen ? 'best' : exit === undefined ? '' : 'out'
    const tag = way === chosen ? 'recommended' : exit === undefined ? '' : exit.kind === 'refused' ? 'refused' : 'out'
    const cells = [
      rate(success),
      rate(valid),
      rate(repaired),
      quantity(promptTokens, tokens),
      quantity(firstMs, time),
      quantity(totalMs, time),
    ].map((cell) => `<td>${escaped(cell).replace(/ (\(.*\))$/, ' <small>$1</small>')}</td>`)
    return `<tr class="${state}"><td>${escaped(way)}${tag === '' ? '' : `<span class="tag">${escaped(tag)}</span>`}</td><td>${success.of}</td>${cells.join('')}</tr>`
  })
  return `<table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

const compared = 8

function printHeat(standings: readonly Standing[]): string {
  const shown = standings.slice(0, compared)
  const rows = categories.map((category) => {
    const cells = shown.map(({ byCategory }) => {
      const { done = 0, of = 0 } = byCategory[category] ?? {}
      if (of === 0) return '<td>–</td>'
      const share = Math.round((done / of) * 100)
      return `<td><span style="background:color-mix(in oklab, var(--best) ${Math.round(share * 0.55)}%, var(--track))">${done}/${of}</span></td>`
    })
    return `<tr><td>${category}</td>${cells.join('')}</tr>`
  })
  const heads = shown.map(({ way }) => `<th>${escaped(way)}</th>`).join('')
  return `<table class="heat"><thead><tr><th></th>${heads}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

function printMethod({ margin, alpha }: About): string {
  return `<details><summary>How this was measured</summary>
<p>In each round one task is drawn at random and put to the model in every way that is still in the race. Two ways are compared by the
rounds in which only one of them succeeded. The evidence is a bet at fair odds, which may be looked at after every round without
spoiling it, so the race ends as soon as it is clear. The chance that the best way was thrown out, or that one was called as good that
is more than ${Math.round(margin * 100)} points worse, is ${percent(alpha)} at most. The intervals hold at every look, too: that is why they are wider
than those of a survey with a fixed number of tasks. Each of them is right with ${percent(1 - alpha)}.</p></details>`
}
