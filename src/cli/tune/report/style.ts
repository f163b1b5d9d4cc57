/** The whole look of the report. It follows the reader's light or dark, and fetches nothing. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #fbfaf8; --card: #fff; --ink: #1d1b18; --soft: #6b665e; --line: #e4dfd7; --track: #f0ece5;
  --best: #0b7a53; --best-soft: #d9f0e5; --alive: #2f5fb3; --out: #a8a196; --warn: #a05a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #16171a; --card: #1e2024; --ink: #eceae6; --soft: #a09c94; --line: #33363c; --track: #2a2d32;
    --best: #4fd6a0; --best-soft: #173a2d; --alive: #86b1ff; --out: #6f6c66; --warn: #f0b35c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 66rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
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
tr.best td:first-child { font-weight: 650; color: var(--best); }
tr.out td { color: var(--soft); }
.tag { font-size: .72rem; border-radius: 99px; padding: .08rem .5rem; margin-left: .4rem; background: var(--track); color: var(--soft); font-weight: 500; }
.best .tag { background: var(--best-soft); color: var(--best); }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); font-size: 12px; }
svg .grid { stroke: var(--line); }
.heat { table-layout: fixed; min-width: 36rem; }
.heat td { text-align: center; padding: .2rem; border: 0; }
.heat td:first-child { text-align: left; color: var(--soft); padding-right: .8rem; }
.heat th { text-align: center; }
.heat span { display: block; border-radius: 6px; padding: .22rem .3rem; min-width: 3.6rem; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 1.25rem; }
.two section { min-width: 0; }
details { margin-top: 1.25rem; color: var(--soft); font-size: .92rem; }
summary { cursor: pointer; color: var(--ink); }
@media (max-width: 44rem) { .two { grid-template-columns: 1fr; gap: 0; } main { padding-top: 1.5rem; } }
@media print { body { background: none; } section { break-inside: avoid; } }
`
