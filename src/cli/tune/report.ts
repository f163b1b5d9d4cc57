import { categories } from '../../tune/battery/task.ts'
import type { Standing, Summary } from '../../tune/summary.ts'
import { percent, quantity, range, rate, time, tokens } from './figures.ts'
import { chosenOf, printSettings, sayVerdict } from './words.ts'

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
export function printReport(summary: Summary, about: About): string {
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
    : `<section><h2>All figures</h2><p class="hint">The dot is what was measured, the bar is where the true rate lies. Rates in percent, each with its ${percent(1 - about.alpha)} interval; tokens and times are medians.</p>
<div class="scroll">${printFigures(standings, chosen)}</div></section>
<section><h2>By kind of task</h2><p class="hint">Tasks done, of those that came up.</p>
<div class="scroll">${printHeat(measured)}</div></section>`
}
${printMethod(about)}
</main>
</body>
</html>
`
}

function printFigures(standings: readonly Standing[], chosen: string | undefined): string {
  const heads = [
    'way',
    'tasks',
    '',
    'success',
    'valid calls',
    'repaired',
    'prompt tokens',
    'first token',
    'whole answer',
  ]
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
    return `<tr class="${state}"><td>${escaped(way)}${tag === '' ? '' : `<span class="tag">${escaped(tag)}</span>`}</td><td>${success.of}</td><td>${printBar(success)}</td>${cells.join('')}</tr>`
  })
  return `<table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

function printBar(success: Standing['success']): string {
  if (success.of === 0) return ''
  const at = (share: number): string => `${Math.round(share * 1000) / 10}%`
  const shown = `${percent(success.value)}, ${range(success)}`
  return `<div class="bar" role="img" aria-label="${escaped(shown)}"><i style="left:${at(success.low)};width:${at(success.high - success.low)}"></i><b style="left:${at(success.value)}"></b></div>`
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

/** Text that may stand anywhere in a page: names come from servers. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** The whole look of the report. It follows the reader's light or dark, and fetches nothing. */
const style = `
:root {
  color-scheme: light dark;
  --page: #fbfaf8; --card: #fff; --ink: #1d1b18; --soft: #6b665e; --line: #e4dfd7; --track: #f0ece5;
  --best: #0b7a53; --best-soft: #d9f0e5; --warn: #a05a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #16171a; --card: #1e2024; --ink: #eceae6; --soft: #a09c94; --line: #33363c; --track: #2a2d32;
    --best: #4fd6a0; --best-soft: #173a2d; --warn: #f0b35c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
header p { color: var(--soft); margin: 0; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.015em; }
h2 { font-size: 1.1rem; margin: 0 0 .25rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem 1.4rem; margin-top: 1.25rem; }
section > p.hint { color: var(--soft); margin: 0 0 1rem; font-size: .9rem; }
.verdict { border-left: 5px solid var(--best); }
.verdict.unsure { border-left-color: var(--warn); }
.verdict p { margin: 0 0 .35rem; }
.verdict p:first-of-type { font-size: 1.25rem; font-weight: 600; }
pre { background: var(--track); border-radius: 8px; padding: .8rem 1rem; margin: .9rem 0 0; overflow-x: auto; font: .88rem/1.5 ui-monospace, "SF Mono", Menlo, monospace; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .45rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
th { color: var(--soft); font-weight: 500; font-size: .82rem; }
tr:last-child td { border-bottom: 0; }
td small { color: var(--soft); }
.bar { position: relative; width: 9rem; height: .75rem; border-radius: 99px; background: var(--track); }
.bar i { position: absolute; height: 100%; border-radius: 99px; background: currentColor; opacity: .3; }
.bar b { position: absolute; width: .75rem; height: 100%; margin-left: -.375rem; border-radius: 99px; background: currentColor; }
tr.best .bar { color: var(--best); }
tr.best td:first-child { font-weight: 650; color: var(--best); }
tr.out td { color: var(--soft); }
.tag { font-size: .72rem; border-radius: 99px; padding: .08rem .5rem; margin-left: .4rem; background: var(--track); color: var(--soft); font-weight: 500; }
.best .tag { background: var(--best-soft); color: var(--best); }
.heat { table-layout: fixed; min-width: 36rem; }
.heat td { text-align: center; padding: .2rem; border: 0; }
.heat td:first-child { text-align: left; color: var(--soft); padding-right: .8rem; }
.heat th { text-align: center; }
.heat span { display: block; border-radius: 6px; padding: .22rem .3rem; min-width: 3.6rem; }
details { margin-top: 1.25rem; color: var(--soft); font-size: .92rem; }
summary { cursor: pointer; color: var(--ink); }
@media print { body { background: none; } section { break-inside: avoid; } }
`
