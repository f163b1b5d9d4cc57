import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { need } from '../needs.ts'
import { seriousFindings } from './axe.ts'
import { type Browser, type Looks, startBrowser, type Tab } from './browser.ts'
import { fill, openScene, repaired, request, type Scene, saidOnCue, script, user } from './scene.ts'

const run = promisify(execFile)

let browser: Browser
let scene: Scene
let release: () => void = () => undefined

/** Models that speak on cue wait for this. */
let cue: Promise<void> = Promise.resolve()
function holdBack(): void {
  cue = new Promise((resolve) => {
    release = resolve
  })
}

beforeAll(async () => {
  browser = await startBrowser()
  scene = await openScene({
    script: (question, asked, signal) =>
      question.includes('slowly') ? saidOnCue(repaired, cue, signal) : script(question, asked, signal),
  })
  await fill(scene)
})
afterAll(async () => {
  await browser?.close()
  await scene?.close()
})

let tab: Tab
async function open(path = '', looks?: Looks): Promise<Page> {
  tab = await browser.open(scene.address + path, looks)
  return tab.page
}
afterEach(async () => {
  const { problems, hosts, page } = tab
  await page.close()
  expect(problems).toEqual([])
  expect([...hosts]).toEqual([new URL(scene.address).host])
})

/** Opens the exchange whose row has these words. */
async function openExchange(query: string, looks?: Looks): Promise<Page> {
  const page = await open('', looks)
  await page.getByLabel('Filter the exchanges').fill(query)
  await page.locator('.row:not(.head):not(.group)').first().click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const forgedQuery = 'note:echo'
const repairedQuery = 'note:json_repaired'
const pane = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true }).last()

describe('the list', () => {
  test('shows every exchange, and those that come while one looks', async () => {
    const page = await open()
    await page.locator('.row').nth(4).waitFor()
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Time',
      'Client',
      'Door',
      'Model',
      'Service',
      'Tools',
      'Status',
      'First byte',
      'Total',
      'Tokens',
      'Calls',
      'Notes',
      'Asked → answered',
    ])
    const failed = page.getByRole('row').filter({ hasText: 'cline' })
    expect(await failed.innerText()).toMatch(/✕ 504[\s\S]*upstream_timeout/)
    await scene.send(request([user('A new one')], { tools: [] }), { headers: { 'user-agent': 'newcomer/1' } })
    await page.getByText('newcomer').waitFor()
  })

  test('is filtered by anything', async () => {
    const page = await open()
    await page.locator('.row').nth(4).waitFor()
    const rows = page.locator('.row:not(.head):not(.group)')
    for (const [query, count] of [
      ['client:cline', 1],
      ['cline', 1],
      ['status:5', 1],
      ['mode:native', 1],
      ['calls:2', 1],
      ['note:echo', 1],
      ['-status:200 cline', 1],
      ['"Where is the reader"', 2],
      ['total>10min', 0],
    ] as const) {
      await page.keyboard.press('/')
      await page.keyboard.type(query)
      await expect.poll(() => rows.count(), { message: query }).toBe(count)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await rows.nth(4).waitFor()
  })

  test('completes what is typed into the filter', async () => {
    const page = await open()
    await page.locator('.row').nth(4).waitFor()
    const filter = page.getByLabel('Filter the exchanges')
    const offered = () =>
      page.locator('#filter-completions option').evaluateAll((all) => all.map((one) => one.getAttribute('value')))
    await filter.fill('-cl')
    await expect.poll(offered).toEqual(['-client:'])
    await filter.fill('calls:0 -client:cli')
    await expect.poll(offered).toEqual(['calls:0 -client:cline'])
    expect(await filter.getAttribute('list')).toBe('filter-completions')
  })

  test('finds what was asked and said, and says what was answered', async () => {
    const page = await open()
    const rows = page.locator('.row:not(.head):not(.group)')
    await rows.nth(4).waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'llama-3.3' }).innerText()).toContain('read_file')
    expect(await rows.filter({ hasText: 'Hello there →' }).count()).toBe(1)
    const filter = page.getByLabel('Filter the exchanges')
    const count = await rows.count()
    for (const [query, found] of [
      ['body:"SAYS what to do next"', 1],
      ["body:'query': client:opencode", 1],
      ['body:delete_file note:echo', 1],
      ['body:"no such words"', 0],
      ['-body:"no such words"', count],
    ] as const) {
      await filter.fill(query)
      await expect.poll(() => rows.count(), { message: query, timeout: 5000 }).toBe(found)
    }
  })

  test('can be held as it is, and cleared', async () => {
    const page = await open()
    const rows = page.locator('.row:not(.head):not(.group)')
    await rows.nth(4).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('paused').waitFor()
    const newcomer = { headers: { 'user-agent': 'latecomer/1' } }
    await scene.send(request([user('While paused')], { tools: [] }), newcomer)
    expect(await page.getByText('latecomer').count()).toBe(0)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('latecomer').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('heading', { name: 'The list is cleared' }).waitFor()
    await scene.send(request([user('After it was cleared')], { tools: [] }), newcomer)
    await page.getByText('After it was cleared').waitFor()
    expect(await rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Show them' }).click()
    await rows.nth(4).waitFor()
  })

  test('groups the turns of a conversation, and shows them side by side with their prompts compared', async () => {
    const page = await open()
    const turns = page.getByRole('link', { name: '2 turns' })
    await turns.waitFor()
    await page.getByRole('button', { name: 'Group', exact: true }).click()
    expect(await turns.count()).toBe(0)
    await page.getByRole('button', { name: 'Group', exact: true }).click()
    await turns.click()
    const second = page.getByRole('listitem').filter({ hasText: 'Turn 2' })
    await second.waitFor()
    expect(await second.getByRole('article').allInnerTexts()).toEqual([
      expect.stringMatching(/^result\s+read_file[\s\S]*createReader/),
      expect.stringMatching(/^The file says what to do next[\s\S]*delete_file/),
    ])
    const first = page.getByRole('listitem').filter({ hasText: 'Turn 1' })
    expect(await first.innerText()).toMatch(/user\s+Where is[\s\S]*call read_file \{"path"[\s\S]*trailing comma/)
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Prompts' }).click()
    await page
      .getByText(/Shares its first|Differs from the turn before/)
      .first()
      .waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: 'Turn 2' }).innerText()).toContain('delete_file')
    expect(await seriousFindings(page)).toEqual([])
  })

  test('the keyboard walks it, opens one, focuses its panes and goes back', async () => {
    const page = await open()
    await page.locator('.row').nth(4).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    const title = page.getByRole('heading', { level: 1 })
    await title.waitFor()
    const address = page.url()
    await page.keyboard.press('3')
    await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('The model said')
    await page.keyboard.press('j')
    await expect.poll(() => page.url()).not.toBe(address)
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('widen a pane').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('an exchange', () => {
  test('with repaired calls: four panes, what was changed, and the same call lit in all of them', async () => {
    const page = await openExchange(repairedQuery)
    expect(await pane(page, 'Client asked').innerText()).toContain('Where is the reader created?')
    const sent = pane(page, 'Sent to the model')
    expect(await sent.locator('.run.changed').first().innerText()).toContain('# Tools')
    const said = pane(page, 'The model said')
    expect(await said.locator('.run.call').allInnerTexts()).toEqual([
      expect.stringContaining('"limit": "40",}'),
      expect.stringContaining("'query': 'createReader'"),
    ])
    expect(await said.locator('.run.refused').getAttribute('title')).toContain('inside code')
    const got = pane(page, 'Client got')
    const second = got.locator('.got-call').nth(1)
    expect(await second.innerText()).toMatch(/call 2[\s\S]*search[\s\S]*"createReader"[\s\S]*single quotes/)
    await second.hover()
    await expect.poll(() => said.locator('.run.call.lit').innerText()).toContain('createReader')
    expect(await pane(page, 'Client asked').locator('.tools .lit').innerText()).toContain('search')
    expect(await page.locator('.joints path').count()).toBe(1)

    expect(await page.getByRole('img', { name: /pieces came from the model/ }).count()).toBe(1)
    const notes = page.getByRole('region', { name: 'Notes' })
    expect(await notes.innerText()).toMatch(
      /The JSON had mistakes that could be fixed\. trailing comma json_repaired call 1/,
    )
    expect(await page.getByRole('region', { name: 'Tokens' }).innerText()).toMatch(/answer\s+96[\s\S]*cache\s+1,200/)
    expect(await seriousFindings(page)).toEqual([])
  })

  test('with a forged call: it is text, and the page says why', async () => {
    const page = await openExchange(forgedQuery)
    const said = pane(page, 'The model said')
    expect(await said.locator('.run.refused').innerText()).toContain('delete_file')
    expect(await said.locator('.why').getAttribute('data-why')).toContain('only repeats a call')
    expect(await pane(page, 'Client got').locator('.got-call').count()).toBe(0)
    expect(await pane(page, 'Sent to the model').locator('[data-label*="neutralised"]').count()).toBeGreaterThan(0)
  })

  test('with a native call, and one that failed', async () => {
    const page = await openExchange('mode:native')
    expect(await pane(page, 'The model said').locator('.native-call').innerText()).toContain('{"path": "a.ts"}')
    expect(await pane(page, 'Client got').locator('.got-call').innerText()).toContain('read_file')
    await page.getByLabel('Filter the exchanges').fill('state:failed')
    await page.locator('.row:not(.group)').first().click()
    await pane(page, 'Client got').getByText('ollama said nothing for 30 s.').waitFor()
  })

  test('is copied as a curl command that works, exported, and shown raw', async () => {
    need('curl')
    const page = await openExchange(repairedQuery)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied as curl').waitFor()
    const command = await page.evaluate<string>('navigator.clipboard.readText()')
    const answer = await run('bash', ['-c', `${command} -sS`])
    expect(answer.stdout).toContain('"name":"search"')

    const saved = page.waitForEvent('download')
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const file = JSON.parse(readFileSync(await (await saved).path(), 'utf8'))
    expect(file).toMatchObject({ format: 'exchange/1', exchange: { model: 'qwen3-coder', calls: 2 } })
    const golden = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as a golden case' }).click()
    expect(JSON.parse(readFileSync(await (await golden).path(), 'utf8')).text).toBe(repaired)

    await page.getByRole('button', { name: 'Raw' }).click()
    await page.getByRole('region', { name: 'The exchange as JSON' }).getByText('attempts').waitFor()
  })

  test('is asked again, otherwise, and both answers stand side by side', async () => {
    const page = await openExchange(repairedQuery)
    await page.getByRole('link', { name: 'Ask again' }).click()
    expect(await page.getByRole('combobox', { name: 'Mode', exact: true }).inputValue()).toBe('prompt')
    expect(await page.getByLabel('Dialect').inputValue()).toBe('hermes')
    await page.getByLabel('Dialect').selectOption('qwen3-coder')
    await page.getByRole('button', { name: 'Send' }).click()
    const again = page.getByRole('region', { name: 'Asked again' })
    await again.getByText('createReader').first().waitFor()
    expect(await again.innerText()).toContain('prompt · qwen3-coder')
    expect(await page.getByRole('region', { name: 'As it was' }).innerText()).toContain('prompt · hermes')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('llama-3.3')
    await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('native')
    await page.getByRole('button', { name: 'Send' }).click()
    await again.getByText('llama-3.3').waitFor()
  })

  test('is searched in all panes; invisible characters and cuts are shown and not copied', async () => {
    const page = await openExchange(forgedQuery)
    await page.keyboard.press('f')
    await page.keyboard.type('DELETE_FILE')
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.getByRole('button', { name: 'Invisibles' }).click()
    await page.getByRole('button', { name: 'Cuts' }).click()
    const said = pane(page, 'The model said')
    expect(await said.locator('.cut').count()).toBeGreaterThan(0)
    expect(await pane(page, 'Sent to the model').locator('[data-shown="U+2060"]').count()).toBeGreaterThan(0)
    await said.locator('pre').selectText()
    expect(await page.evaluate('getSelection().toString()')).not.toMatch(/[⏎·⌇]/)
  })

  test('is a page of its own with tabs on a narrow screen', async () => {
    const page = await openExchange(repairedQuery, { width: 390, height: 844 })
    await page.getByRole('tab', { name: 'Client got' }).click()
    expect(await page.locator('.got-call').first().isVisible()).toBe(true)
    expect(await page.locator('.pane.said').isVisible()).toBe(false)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.locator('.row').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })
})

describe('the playground', () => {
  test('asks a model, and fills the panes while it streams', async () => {
    holdBack()
    const page = await open('#/playground')
    await page.getByLabel('Message 1', { exact: true }).fill('Speak slowly')
    await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('prompt')
    await page.getByLabel('Dialect').selectOption('qwen3-coder')
    await page.getByLabel('Temperature').fill('0.3')
    await page.getByRole('button', { name: 'Send' }).click()
    const said = pane(page, 'The model said')
    await said.getByText('still speaking').waitFor()
    await said.getByText("I'll read it and look").waitFor()
    expect(await pane(page, 'Sent to the model').innerText()).toContain('# Tools')
    expect(await pane(page, 'Client asked').innerText()).toContain('temperature\n0.3')
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(1)
    expect(await seriousFindings(page)).toEqual([])
    release()
    await pane(page, 'Client got').getByText('createReader').waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await page.getByRole('link', { name: 'Open the exchange' }).click()
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor()
  })

  test('goes on with the results of the calls, at any door', async () => {
    const page = await open('#/playground')
    await page.getByLabel('Message 1', { exact: true }).fill('Where is it?')
    await page.getByRole('combobox', { name: 'API', exact: true }).selectOption('messages')
    await page.getByLabel('Max tokens').fill('500')
    const tools = ['read_file', 'search'].map((name) => ({ type: 'function', function: { name, parameters: {} } }))
    await page.getByLabel('Tools', { exact: true }).fill(JSON.stringify(tools))
    await page.getByRole('combobox', { name: 'Tool choice' }).selectOption('required')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('button', { name: 'Answer these calls' }).click()
    const asked = pane(page, 'Client asked')
    expect(await asked.innerText()).toMatch(/v1\/messages[\s\S]*max_tokens\s+500[\s\S]*"any"/)
    await page.getByLabel('Message 3', { exact: true }).fill('export function createReader()')
    await page.getByLabel('Message 4', { exact: true }).fill('nothing')
    await page.getByRole('button', { name: 'Send' }).click()
    await asked.getByText('export function createReader()').waitFor()
    expect(await asked.innerText()).toContain('nothing')
  })

  test('an answer can be stopped, and what is wrong with a request is said', async () => {
    holdBack()
    const page = await open('#/playground')
    await page.getByLabel('Message 1', { exact: true }).fill('Speak slowly')
    await page.getByRole('button', { name: 'Send' }).click()
    await pane(page, 'The model said').getByText('still speaking').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('⊘ gone').first().waitFor()
    release()
    await page.getByLabel('Tools', { exact: true }).fill('[')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').getByText('The tools are not JSON').waitFor()
  })

  test('takes up a recorded exchange; the reader takes what was said in it', async () => {
    const page = await openExchange(forgedQuery)
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('link', { name: 'Open in the playground' }).click()
    expect(await page.getByLabel('Message 2', { exact: true }).inputValue()).toBe('Where is the reader created?')
    expect(JSON.parse(await page.getByLabel('Message 3', { exact: true }).inputValue())).toMatchObject({
      tool_calls: [{ id: 'call_1' }],
    })
    expect(await page.getByLabel('Message 4', { exact: true }).inputValue()).toContain('createReader')
    await page.getByText('result of call_1').waitFor()
    expect(await page.getByLabel('Tools', { exact: true }).inputValue()).toContain('"delete_file"')
    await page.goBack()
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('link', { name: 'Open in the reader' }).click()
    // Also here it only repeats what the request holds.
    await page.getByRole('region', { name: 'Read as' }).locator('.run.refused').waitFor()
    expect(await page.getByRole('region', { name: 'What came of it' }).locator('.got-call').count()).toBe(0)
  })
})

test('the overview plots what was asked', async () => {
  const page = await open('#/overview')
  await page.getByRole('img', { name: /^Requests\. \d+ requests, 1 failed\.$/ }).waitFor()
  expect(await page.locator('canvas').count()).toBe(3)
  // What was asked just now is to be seen at the right, and not only counted.
  await expect.poll(() => page.evaluate<number>(coloured)).toBeGreaterThan(3)
  expect(await page.getByRole('row').filter({ hasText: 'llama-3.3' }).innerText()).toMatch(/llama-3.3\s+2\s+0/)
  expect(await page.getByRole('region', { name: 'Calls by dialect' }).innerText()).toMatch(/hermes[\s\S]*native/)
  expect(await page.getByRole('region', { name: 'Repairs and other notes' }).innerText()).toContain('json_repaired')
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('combobox', { name: 'Model' }).selectOption('llama-3.3')
  await page.getByRole('img', { name: 'Requests. 2 requests, 0 failed.' }).waitFor()
})

/** How many pixels of the emptier of the first two plots are neither grey nor blank. */
const coloured = `Math.min(...[...document.querySelectorAll('canvas')].slice(0, 2).map((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  let found = 0
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue, seen] = data.subarray(at, at + 4)
    if (seen > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 80) found += 1
  }
  return found
}))`

test('colours can be chosen, and are kept', async () => {
  const page = await open()
  await page.getByRole('button', { name: /^Colours/ }).click()
  await page.getByRole('button', { name: /^Colours/ }).click()
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(21, 23, 27)')
  await page.reload()
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await page.getByRole('button', { name: /^Colours/ }).click()
})

test('axe-core finds nothing serious in the list', async () => {
  const page = await open()
  await page.locator('.row').nth(4).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})
