import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { examineProxy, examineTools } from './machine.ts'

test.each([
  [{}, ['https://models.example/v1'], 'No proxy is set.'],
  [{ HTTPS_PROXY: 'http://proxy:3128' }, ['http://127.0.0.1:8000/v1'], 'Your servers are local'],
  [{ HTTPS_PROXY: 'http://proxy:3128' }, ['https://models.example/v1'], 'reached through it'],
])('with %j and servers at %j it says: %s', (environment, urls, says) => {
  const terminal = { surroundings: { environment } } as unknown as Parameters<typeof examineProxy>[0]
  expect(examineProxy(terminal, urls)).toMatchObject({ verdict: 'good', says: expect.stringContaining(says) })
})

/** The inspector of a gateway, with one exchange. */
async function withInspector<T>(notes: readonly object[], act: (origin: string) => Promise<T>): Promise<T> {
  const summary = {
    id: 'x1',
    client: 'Claude Code',
    model: 'qwen',
    notes: notes.map((note) => Reflect.get(note, 'kind')),
  }
  const server = createServer(({ url = '' }, response) => {
    response.end(JSON.stringify(url.includes('/x1') ? { ...summary, told: notes } : { exchanges: [summary] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}

test('clients whose tools fill the context of a model are named, with the figure and what to do', async () => {
  const large = { kind: 'tools_large', detail: '9000 of 16384 tokens' }
  expect(await withInspector([large], examineTools)).toEqual([
    {
      check: 'tools',
      verdict: 'warning',
      says: 'The tools of Claude Code take 9000 of 16384 tokens of qwen.',
      fix: expect.stringContaining('`tools_budget`'),
    },
  ])
  expect(await withInspector([{ kind: 'coerced' }], examineTools)).toEqual([])
  expect(await examineTools('http://127.0.0.1:1')).toEqual([])
})
