import { expect, test } from 'vitest'
import { flavours } from '../../../src/upstreams/flavours/registry.ts'
import { createOpenAiUpstreamOver, type OpenAiSettings } from '../../../src/upstreams/openai/openai.ts'
import { kinds } from '../../../src/upstreams/registry.ts'
import { createFetchClient } from '../../../src/upstreams/wire/fetch-client.ts'
import { describeContract } from './contract.ts'
import type { Wire } from './wire.ts'

async function findWire(kind: string): Promise<Wire | undefined> {
  try {
    const { wire } = (await import(`./wires/${kind}.ts`)) as { readonly wire: Wire }
    return wire
  } catch {
    // The test below says so.
    return undefined
  }
}

const wires = new Map(await Promise.all(kinds.map(async ({ kind }) => [kind, await findWire(kind)] as const)))

test.each(kinds)('$kind says in test/upstreams/contract/wires how it speaks', ({ kind }) => {
  expect(wires.get(kind)).toBeDefined()
})

for (const kind of kinds) {
  const wire = wires.get(kind.kind)
  if (wire === undefined) continue
  describeContract({ title: kind.kind, kind, wire })
  if (kind.kind !== 'openai') continue
  const fetching: typeof kind = {
    ...kind,
    create: (name, settings, context) =>
      createOpenAiUpstreamOver((url) => createFetchClient(url), { ...(settings as OpenAiSettings), ...context, name }),
  }
  describeContract({ title: `${kind.kind}, over fetch`, kind: fetching, wire })
  for (const { name } of flavours)
    if (name !== 'unknown')
      describeContract({ title: `${kind.kind}, as ${name}`, kind, wire, variant: { flavour: name } })
}
