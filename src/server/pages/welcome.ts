import type { ModelCard, ServiceCard } from '../../turn/turn.ts'
import { headersOf, type Visit } from '../visit.ts'
import { printContext, printMode, printPlace } from './words.ts'

export interface WelcomeFacts {
  readonly version?: string | undefined
  /** Undefined where keys are set: what is served is for those who have one. */
  readonly services: readonly ServiceCard[] | undefined
  readonly keyed: boolean
  /** There is an inspector that whoever asks may open. */
  readonly inspector?: boolean
}

const shownModels = 20

/** What somebody sees who opens the gateway's address: a page in a browser, text in a terminal. */
export function respondWelcome(visit: Visit, facts: WelcomeFacts): void {
  const { request, response } = visit
  const origin = `http://${request.headers.host ?? '127.0.0.1'}`
  const asPage = (request.headers.accept ?? '').includes('text/html')
  const body = asPage ? printPage(origin, facts) : printText(origin, facts)
  response.writeHead(200, {
    ...headersOf(visit),
    'content-type': `text/${asPage ? 'html' : 'plain'}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    vary: 'accept',
  })
  response.end(body)
}

const sentence = 'An OpenAI-compatible gateway that gives every model tool calling.'

function keySentence({ keyed }: WelcomeFacts): string {
  return keyed ? 'one of the keys from the config file' : 'any text will do, no keys are set'
}

function printText(origin: string, facts: WelcomeFacts): string {
  const lines = [
    `Dragoman${facts.version === undefined ? '' : ` ${facts.version}`}`,
    sentence,
    '',
    `Base URL  ${origin}/v1`,
    `API key   ${keySentence(facts)}`,
    '',
  ]
  for (const service of facts.services ?? []) {
    lines.push(`${service.name}: ${stateWords(service)}`)
    const place = printPlace(service)
    if (place !== '') lines.push(`  ${place}`)
    const trouble = troubleOf(service)
    if (trouble !== '') lines.push(`  ${trouble}`)
    lines.push(...service.models.slice(0, shownModels).map((model) => `  - ${modelWords(model)}`))
    if (service.models.length > shownModels) lines.push(`  - and ${service.models.length - shownModels} more`)
    lines.push('')
  }
  if (facts.inspector === true) lines.push(`Inspector ${origin}/inspector/`)
  lines.push(`Models    ${origin}/v1/models`, `Health    ${origin}/readyz`, '')
  return lines.map(plain).join('\n')
}

function stateWords({ state }: ServiceCard): string {
  return state === 'unknown' ? 'not checked' : state
}

function troubleOf({ reason = '', remedy }: ServiceCard): string {
  return remedy === undefined ? reason : `${reason} ${remedy}`
}

function modelWords(model: ModelCard): string {
  return [model.id, printMode(model), printContext(model)].filter((word) => word !== '').join(', ')
}

/** Names come from services: none of their control characters may draw on a terminal. */
function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return line.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')
}

function printPage(origin: string, facts: WelcomeFacts): string {
  const services = (facts.services ?? []).map(printService).join('\n')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dragoman</title>
<style>${style}</style>
<main>
<h1>Dragoman <small>${escapeHtml(facts.version ?? '')}</small></h1>
<p>${sentence}</p>
<dl>
<dt>Base URL<dd><code>${escapeHtml(origin)}/v1</code>
<dt>API key<dd>${keySentence(facts)}
</dl>
${services}
<p>${facts.inspector === true ? '<a href="/inspector/">Inspector</a> · ' : ''}<a href="/v1/models">Models as JSON</a> · <a href="/readyz">Health</a></p>
</main>
</html>
`
}

function printService(service: ServiceCard): string {
  const { name, state, models } = service
  const trouble = troubleOf(service)
  const rest = models.length - shownModels
  const rows = models
    .slice(0, shownModels)
    .map(
      (model) =>
        `<tr><td><code>${escapeHtml(model.id)}</code><td>${escapeHtml(printMode(model))}<td>${printContext(model)}`,
    )
  return [
    `<section class="${state}">`,
    `<h2>${escapeHtml(name)} <small>${stateWords(service)}</small></h2>`,
    `<p class="place">${escapeHtml(printPlace(service))}</p>`,
    ...(trouble === '' ? [] : [`<p>${escapeHtml(trouble)}</p>`]),
    ...(rows.length === 0 ? [] : [`<table>${rows.join('\n')}</table>`]),
    ...(rest > 0 ? [`<p>and ${rest} more</p>`] : []),
    '</section>',
  ].join('\n')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const style = `
:root { color-scheme: light dark; --quiet: light-dark(#666, #999); --line: light-dark(#ddd, #333) }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; padding: 3rem 1.5rem }
main { max-width: 44rem; margin: auto }
h1 { margin: 0 } h2 { font-size: 1.1rem; margin: 0 }
small { font-weight: normal; color: var(--quiet); font-size: .8em }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: 1.5rem 0 }
dt { color: var(--quiet) } dd { margin: 0 }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
section { border: 1px solid var(--line); border-left: .3rem solid #999; border-radius: .4rem; padding: .8rem 1rem; margin: 1rem 0 }
section.up { border-left-color: #2a9d4a } section.down { border-left-color: #d33 }
section p { margin: .25rem 0 } .place { color: var(--quiet); overflow-wrap: anywhere }
table { border-spacing: 0; margin-top: .5rem } td { padding: .1rem 1.5rem .1rem 0; vertical-align: top }
td + td { color: var(--quiet) }
`
