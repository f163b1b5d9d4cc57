import type { ModelCard, ServiceCard } from '../../turn/turn.ts'
import { headersOf, type RequestContext } from '../request-context.ts'
import { escapeHtml, htmlHeaders, isForPeople, printHtml } from './html.ts'

export interface WelcomeFacts {
  readonly version?: string | undefined
  /** Undefined where keys are set: what is served is for those who have one. */
  readonly services: readonly ServiceCard[] | undefined
  readonly keyed: boolean
  /** There is an inspector that needs no token. */
  readonly inspector?: boolean
}

const shownModels = 20

/** The page at `/`: HTML in a browser, text in a terminal. */
export function respondWelcome(context: RequestContext, facts: WelcomeFacts): void {
  const { request, response } = context
  const origin = `http://${request.headers.host ?? '127.0.0.1'}`
  const asPage = isForPeople(request)
  const body = asPage ? printPage(origin, facts) : printText(origin, facts)
  response.writeHead(200, {
    ...headersOf(context),
    'content-type': `text/${asPage ? 'html' : 'plain'}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    ...htmlHeaders,
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
  const main = `<h1>Dragoman <small>${escapeHtml(facts.version ?? '')}</small></h1>
<p>${sentence}</p>
<dl>
<dt>Base URL<dd><code>${escapeHtml(origin)}/v1</code>
<dt>API key<dd>${keySentence(facts)}
</dl>
${services}
<p>${facts.inspector === true ? '<a href="/inspector/">Inspector</a> · ' : ''}<a href="/v1/models">Models as JSON</a> · <a href="/readyz">Health</a></p>`
  return printHtml('Dragoman', main)
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

/** How a model gets its tools, in a few words. */
export function printMode({ tools, dialect }: Pick<ModelCard, 'tools' | 'dialect'>): string {
  const taught = dialect === undefined ? 'prompt' : `prompt (${dialect})`
  if (tools === 'native') return 'native tool calls'
  if (tools === 'template') return `tools via the server's template${dialect === undefined ? '' : ` (${dialect})`}`
  return tools === 'prompt' ? `tools via ${taught}` : `native tool calls, else ${taught}`
}

/** `32k context`: round figures as people write them. */
export function printContext({ contextLength }: Pick<ModelCard, 'contextLength'>): string {
  if (contextLength === undefined) return ''
  if (contextLength < 1000) return `${contextLength} context`
  const binary = contextLength % 1024 === 0
  const thousands = contextLength / (binary ? 1024 : 1000)
  if (thousands < 1000) return `${Math.round(thousands)}k context`
  return `${Number((thousands / (binary ? 1024 : 1000)).toFixed(1))}M context`
}

/** `llama.cpp at http://127.0.0.1:8080/v1`. */
export function printPlace({ product, address }: Pick<ServiceCard, 'product' | 'address'>): string {
  if (address === undefined) return product ?? ''
  return product === undefined ? address : `${product} at ${address}`
}
