import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import { type Browser, startBrowser, type Tab } from './browser.ts'
import { openScene, request, type Scene, said, user } from './scene.ts'

/** Each would run if it were taken for markup anywhere. */
const html = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script><svg onload="window.pwned=1"></svg>'
const breakout = `"'></textarea></style></title></script><script>window.pwned=1</script><a href="javascript:window.pwned=1">x</a>`
const evil = html + breakout

let browser: Browser
let scene: Scene
let foreign: Server
let foreignOrigin: string

beforeAll(async () => {
  browser = await startBrowser()
  scene = await openScene({
    script: (question) => {
      if (question.startsWith('said')) return said(`<think>${evil}</think>${evil}`)
      if (question.startsWith('call'))
        return said(`<tool_call>\n${JSON.stringify({ name: evil, arguments: { [evil]: evil } })}\n</tool_call>`)
      if (question.startsWith('broken')) return said(`<tool_call>\n{"name": "read_file", "arguments": {"path": ${evil}`)
      if (question.startsWith('native')) return native()
      if (question.startsWith('failed')) return failing()
      return said('Fine.')
    },
  })
  foreign = createServer((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>foreign</title>')
  })
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
  foreignOrigin = `http://localhost:${(foreign.address() as AddressInfo).port}`
})
afterAll(async () => {
  foreign?.close()
  await browser?.close()
  await scene?.close()
})

async function* native() {
  yield [{ type: 'reasoning', text: evil } as const]
  yield [{ type: 'call', index: 0, id: evil, name: evil, json: JSON.stringify({ [evil]: evil }) } as const]
  yield [{ type: 'finish', reason: 'tool_calls' } as const]
}

async function* failing() {
  yield* []
  throw new GatewayError('upstream_error', evil)
}

const tool = (name: string, description: string, key = 'path') => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: { [key]: { description, enum: [evil] } } } },
})

const image = { type: 'image_url', image_url: { url: `javascript:${evil}` } }
const past = { id: 'a', type: 'function', function: { name: 'f', arguments: JSON.stringify({ [evil]: evil }) } }
const history = [
  { role: 'assistant', content: evil, tool_calls: [past] },
  { role: 'tool', tool_call_id: 'a', content: evil },
]

interface Attack {
  readonly where: string
  readonly body: object | string
  readonly headers?: Readonly<Record<string, string>>
}

const attacks: readonly Attack[] = [
  { where: "in the model's words and thoughts", body: request([user('said')]) },
  { where: 'in the name and the arguments of a call', body: request([user('call')]) },
  { where: 'in a call that cannot be read', body: request([user('broken')]) },
  { where: 'in a native call', body: request([user('native')], { model: 'llama-3.3' }) },
  { where: "in a service's error", body: request([user('failed')]) },
  { where: 'in what the user says', body: request([user(`ok ${evil}`), user(evil)]) },
  { where: 'in the system message', body: request([{ role: 'system', content: evil }, user('ok')]) },
  { where: 'in a call of the history and its result', body: request([user('ok'), ...history]) },
  { where: 'in what a tool is for', body: request([user('ok')], { tools: [tool('f', evil, evil)] }) },
  { where: 'in the name of a tool, which is refused', body: request([user('ok')], { tools: [tool(evil, evil)] }) },
  { where: 'in the name of the model', body: request([user('ok')], { model: evil }) },
  { where: 'in the names of fields', body: request([user('ok')], { [evil]: evil, metadata: { [evil]: evil } }) },
  { where: 'in the address of an image', body: request([user('ok'), { role: 'user', content: [image] }]) },
  { where: 'in a body that is no JSON', body: `{"messages": ${evil}` },
  { where: 'in the name of the client', body: request([user('ok')]), headers: { 'user-agent': `${evil}/1.0` } },
  { where: 'in the name of the conversation', body: request([user('ok')]), headers: { 'x-conversation-id': html } },
  {
    where: 'in other headers',
    body: request([user('ok')]),
    headers: { 'x-evil': evil, referer: 'javascript:pwned=1' },
  },
  { where: 'in the id of the request', body: request([user('ok')]), headers: { 'x-request-id': html } },
]

describe('markup is text,', () => {
  let tab: Tab
  beforeAll(async () => {
    tab = await browser.open(scene.address)
  })
  afterEach(async () => {
    expect(await tab.page.evaluate(inertness)).toEqual({ foreign: [] })
    expect(tab.problems).toEqual([])
    expect([...tab.hosts]).toEqual([new URL(scene.address).host])
  })

  test.each(attacks)('$where', async ({ body, headers = {} }) => {
    const { page } = tab
    await scene.send(body, { headers: { 'user-agent': 'attacker/1', ...headers } })
    const [newest] = scene.recorder.list({ limit: 1 }).exchanges
    await page.goto(`${scene.address}#/exchanges/${newest?.id}`)
    await page.locator('.pane.got').waitFor()
    await page.evaluate(openAll)
    for (const button of await page.getByRole('button', { name: 'As it went over the wire' }).all())
      await button.click()
    await page.getByRole('button', { name: 'Raw' }).click()
    await page.evaluate(openAll)
    await page.locator('.raw').getByText('hasBodies').waitFor()
    expect(await page.evaluate(inertness)).toEqual({ foreign: [] })
    // What was refused belongs to no conversation.
    if (newest?.conversation === undefined) return
    await page.goto(`${scene.address}#/conversations/${encodeURIComponent(newest.conversation)}`)
    await page.locator('h1').waitFor()
  })

  test('in the list, the overview and the reader, all of it at once', async () => {
    const { page } = tab
    await page.goto(`${scene.address}#/exchanges`)
    await page.locator('.row').nth(10).waitFor()
    await page.getByLabel('Filter the exchanges').fill(html)
    await page.getByLabel('Filter the exchanges').fill('')
    await page.goto(`${scene.address}#/overview`)
    await page.getByRole('heading', { name: 'By model' }).waitFor()
    await page.goto(`${scene.address}#/reader`)
    await page.getByLabel('What the model said').fill(`<tool_call>{"name": ${JSON.stringify(evil)}}</tool_call>${evil}`)
    await page.getByLabel('Tools it was offered').fill(evil)
    await page.getByText('✕').first().waitFor()
  })
})

const openAll = "for (const one of document.querySelectorAll('details:not(.menu)')) one.open = true"

/** Whether anything ran, and what stands on the page that the page would never put there. */
const inertness = `({
  ...(window.pwned !== undefined && { pwned: window.pwned }),
  foreign: [...document.querySelectorAll('img:not([src="./favicon.svg"]), iframe, object, embed, script:not([src]), a[href^="javascript"], [onerror], [onload], [style*="url"]')].map((element) => element.outerHTML),
})`

test('markup that somebody brought in all the same would not run: the policy does not let it', async () => {
  const { page, problems } = await browser.open(scene.address)
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`)
  await page.evaluate(
    `{ const script = document.createElement('script'); script.textContent = 'window.pwned = 1'; document.body.append(script) }`,
  )
  await page.evaluate(`fetch('https://evil.example/').catch(() => undefined)`)
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  expect(problems.filter((problem) => problem.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(3)
})

describe('a page of another origin', () => {
  const read = (path: string, options: string) =>
    `fetch('${scene.origin}${path}', ${options}).then((answer) => answer.text()).catch(() => 'refused')`
  const tricks: readonly (readonly [string, () => string, unknown])[] = [
    ['cannot read the list', () => read('/inspector/api/exchanges', '{}'), 'refused'],
    [
      'cannot read it with credentials',
      () => read('/inspector/api/exchanges', "{ credentials: 'include' }"),
      'refused',
    ],
    ['cannot read it without the mode', () => read('/inspector/api/exchanges', "{ mode: 'no-cors' }"), 'refused'],
    ['cannot read one exchange', () => read('/inspector/api/exchanges/x', '{}'), 'refused'],
    ['cannot read the page', () => read('/inspector/', '{}'), 'refused'],
    ['cannot ask a model', () => read('/v1/chat/completions', "{ method: 'POST', body: '{}' }"), 'refused'],
    [
      'cannot follow it live',
      () =>
        `new Promise((done) => { const source = new EventSource('${scene.origin}/inspector/api/live'); source.onopen = () => done('open'); source.onerror = () => done('refused') })`,
      'refused',
    ],
    [
      'cannot load the API as a script',
      () =>
        `new Promise((done) => { const script = document.createElement('script'); script.src = '${scene.origin}/inspector/api/exchanges'; script.onload = () => done('loaded'); script.onerror = () => done('refused'); document.head.append(script) })`,
      'refused',
    ],
    [
      'cannot show it in a frame',
      () =>
        `new Promise((done) => { const frame = document.createElement('iframe'); frame.src = '${scene.address}'; frame.onload = () => { try { done(frame.contentDocument?.title ?? 'refused') } catch { done('refused') } }; document.body.append(frame) })`,
      'refused',
    ],
  ]
  test('can do none of these', async () => {
    const { page } = await browser.open(foreignOrigin)
    const results = []
    for (const [trick, code] of tricks) results.push([trick, await page.evaluate(code())])
    expect(results).toEqual(tricks.map(([trick, , result]) => [trick, result]))
    // A frame that was refused holds the browser's own page about that.
    const frame = page.frames().find((one) => one !== page.mainFrame())
    expect(await frame?.locator('.frame').count()).toBe(0)
  })

  test('cannot come back under another name', async () => {
    const { page } = await browser.open(scene.address.replace('127.0.0.1', 'rebound.localhost'))
    expect(await page.locator('body').innerText()).toContain('forbidden_host')
  })
})
