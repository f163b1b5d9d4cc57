import { expect, test } from 'vitest'
import { countsOf, createRegistry, mergeFamilies, printFamilies } from './registry.ts'

function processWith(count: number) {
  const registry = createRegistry()
  registry.counter('asked_total', 'Asked.').add({ door: 'chat' }, count)
  registry.histogram('took_seconds', 'Took.', [1, 10]).observe({}, count)
  registry.gauge('open', 'Open.', () => [{ value: count }])
  registry.gauge('late', 'Late.', () => [{ labels: { of: `p${count}` }, value: count }, { value: count }], 'max')
  registry.gauge('since', 'Since.', () => [{ value: count }], 'min')
  return registry.read()
}

test('the figures of several processes are printed as those of one', () => {
  expect(printFamilies(mergeFamilies([processWith(2), processWith(5)]))).toBe(
    [
      '# HELP asked_total Asked.',
      '# TYPE asked_total counter',
      'asked_total{door="chat"} 7',
      '# HELP took_seconds Took.',
      '# TYPE took_seconds histogram',
      'took_seconds_bucket{le="1"} 0',
      'took_seconds_bucket{le="10"} 2',
      'took_seconds_bucket{le="+Inf"} 2',
      'took_seconds_sum 7',
      'took_seconds_count 2',
      '# HELP open Open.',
      '# TYPE open gauge',
      'open 7',
      '# HELP late Late.',
      '# TYPE late gauge',
      'late{of="p2"} 2',
      'late 5',
      'late{of="p5"} 5',
      '# HELP since Since.',
      '# TYPE since gauge',
      'since 2',
      '',
    ].join('\n'),
  )
})

test('of a process that has ended only what it counted remains', () => {
  expect(countsOf(processWith(1)).map(({ name }) => name)).toEqual(['asked_total', 'took_seconds'])
})

test('what was read does not change with what is counted later', () => {
  const registry = createRegistry()
  const took = registry.histogram('took_seconds', 'Took.', [1])
  took.observe({}, 1)
  const read = registry.read()
  took.observe({}, 1)
  expect(printFamilies(read)).toContain('took_seconds_count 1\n')
})
