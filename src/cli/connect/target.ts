import { type Config, loadConfig } from '../../config/load.ts'
import { printAddress, reachable } from '../../config/values/address.ts'
import { didYouMean } from '../../protocol/text/nearest.ts'
import { vocabulary } from '../compose/vocabulary.ts'
import { findGateway } from '../running.ts'
import { Refusal } from '../terminal/input.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Client, Target } from './clients/client.ts'
import { askGateway, askModel, type GatewayAnswer, type GatewayModel } from './gateway.ts'

/** What the command line said. */
interface TargetFlags {
  readonly url?: string
  readonly model?: string
  readonly key?: string
  readonly config?: string
  readonly context?: number
}

interface Found {
  readonly target: Target
  /** The same with nothing in it that must not be seen. */
  readonly shown: Target
  readonly remarks: readonly string[]
  /** What was assumed of the context, where the server does not tell it. */
  readonly assumed?: string
}

export const noKeyNeeded = 'dragoman'
const keyToFillIn = 'YOUR_KEY'

/** Where the gateway is, with which key, and which model: what was said, else what the running gateway and the configuration say. */
export async function findTarget(
  said: TargetFlags,
  terminal: Terminal,
  { title, leastContext = 0 }: Pick<Client, 'title' | 'leastContext'>,
): Promise<Found> {
  const config = said.url === undefined || said.key === undefined ? load(said.config, terminal) : undefined
  const configured = config?.settings.keys.find(({ key }) => key !== undefined)?.key
  const url = said.url === undefined ? await findUrl(config, terminal) : withVersion(said.url)
  const key = said.key ?? configured ?? noKeyNeeded
  const answer = await askGateway(url, key)
  const { model, remarks } = chooseModel(said, url, answer, config)
  const listed = modelsOf(answer).some(({ id }) => id === model) ? await askModel(url, key, model) : undefined
  const known = said.context ?? listed?.contextLength
  const context = Math.max(known ?? unknownContext, leastContext)
  const target = { url, model, key, isSecret: key !== noKeyNeeded, context }
  // A key of the configuration is not shown on the screen.
  const hidden = said.key === undefined && configured !== undefined
  const warnings = said.context === undefined && listed?.warning !== undefined ? [listed.warning] : []
  const tooLittle =
    known !== undefined && known < leastContext
      ? [
          `${model} has a context of ${count(known)} tokens. ${title} needs ${count(leastContext)}: start the model server with more.`,
        ]
      : []
  return {
    target,
    shown: hidden ? { ...target, key: keyToFillIn } : target,
    remarks: [...remarks, ...warnings, ...tooLittle],
    ...(known === undefined && {
      assumed: `The server doesn't say how much context ${model} has. I assume ${count(context)} tokens; --context N says otherwise.`,
    }),
  }
}

/** Enough for an agent, and what most people give their models: clients that are told nothing assume up to a million. */
const unknownContext = 32_768

const count = (tokens: number): string => tokens.toLocaleString('en-US')

function load(path: string | undefined, { surroundings }: Terminal): Config {
  return loadConfig({ flags: { config: path }, ...vocabulary, surroundings })
}

/** Where the gateway runs; where it would, if it does not. */
export async function findUrl(config: Config | undefined, { surroundings }: Terminal): Promise<string> {
  const running = await findGateway(config?.file?.path, surroundings)
  return running === undefined ? urlOf(config) : `${running.origin}/v1`
}

function urlOf(config: Config | undefined): string {
  const { host, port } = config?.settings.listen ?? { host: '127.0.0.1', port: 8484 }
  return `http://${printAddress({ host: reachable(host), port })}/v1`
}

/** `127.0.0.1:8484` and `http://127.0.0.1:8484/` mean the same gateway. */
export function withVersion(url: string): string {
  const whole = /^https?:\/\//i.test(url) ? url : `http://${url}`
  if (!URL.canParse(whole)) throw new Refusal(`"${url}" is not a URL. Write it like http://127.0.0.1:8484/v1.`)
  const bare = whole.replace(/\/+$/, '')
  return new URL(whole).pathname === '/' ? `${bare}/v1` : bare
}

function modelsOf(answer: GatewayAnswer): readonly GatewayModel[] {
  return answer.kind === 'models' ? answer.models : []
}

interface Choice {
  readonly model: string
  readonly remarks: readonly string[]
}

function chooseModel(said: TargetFlags, url: string, answer: GatewayAnswer, config: Config | undefined): Choice {
  const models = modelsOf(answer)
  if (said.model !== undefined) return { model: said.model, remarks: doubtsAbout(said.model, url, models) }
  const first = models.find(({ available }) => available) ?? models[0]
  if (first !== undefined) return { model: first.id, remarks: othersBeside(first.id, models) }
  const remedy = 'Or name the model yourself with --model NAME.'
  switch (answer.kind) {
    case 'models':
      throw new Refusal(`The gateway at ${url} serves no models. Check its start screen. ${remedy}`)
    case 'failed':
      throw new Refusal(`The gateway at ${url} has no models right now. It says: ${answer.message} ${remedy}`)
    case 'refused':
      throw new Refusal(`The gateway at ${url} refuses the key. Pass one of its keys with --key KEY.`)
    case 'none':
      return withoutGateway(said, url, config)
  }
}

/** Nothing runs there: the configuration knows what would, unless another gateway was meant. */
function withoutGateway({ url: said }: TargetFlags, url: string, config: Config | undefined): Choice {
  const [configured] = said === undefined ? (config?.settings.models ?? []) : []
  if (configured === undefined) {
    throw new Refusal(`No gateway answers at ${url}. Start it first, or name the model yourself with --model NAME.`)
  }
  const source = config?.file === undefined ? 'it would serve with no config file' : 'your config file names first'
  return {
    model: configured.name,
    remarks: [`No gateway is running at ${url}, so this is the model ${source}.`],
  }
}

function doubtsAbout(model: string, url: string, models: readonly GatewayModel[]): readonly string[] {
  const ids = models.map(({ id }) => id)
  if (ids.length === 0 || ids.includes(model)) return []
  return [`The gateway at ${url} doesn't list "${model}". ${didYouMean(model, ids, `It lists: ${someOf(ids)}.`)}`]
}

function othersBeside(model: string, models: readonly GatewayModel[]): readonly string[] {
  const others = models.map(({ id }) => id).filter((id) => id !== model)
  return others.length === 0 ? [] : [`The gateway also serves ${someOf(others)}. Choose with --model NAME.`]
}

const named = 6

function someOf(ids: readonly string[]): string {
  const rest = ids.length - named
  return rest > 0 ? `${ids.slice(0, named).join(', ')} and ${rest} more` : ids.join(', ')
}
