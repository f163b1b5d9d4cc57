import { expect, test } from 'vitest'
import type { Problem } from '../problems.ts'
import { readOtlp } from './otlp.ts'

const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
const resource = { 'service.name': 'dragoman' }

test.each([
  ['nothing is set', {}, undefined],
  ['it is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, undefined],
  ['the SDK is disabled', { ...base, OTEL_SDK_DISABLED: 'true' }, undefined],
  ['there is no exporter of traces', { ...base, OTEL_TRACES_EXPORTER: 'none' }, undefined],
  ['there is a base', base, { url: 'http://collector:4318/v1/traces', headers: {}, resource }],
  [
    'traces have an address of their own',
    { ...base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/x' },
    { url: 'https://traces.example.com/x', headers: {}, resource },
  ],
  [
    'there are headers, a name and attributes',
    {
      ...base,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc%3D, x=1, broken',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x=2,bad=%zz',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod,service.name=other',
      OTEL_SERVICE_NAME: 'gateway',
    },
    {
      url: 'http://collector:4318/v1/traces',
      headers: { authorization: 'Bearer abc=', x: '2', bad: '%zz' },
      resource: { 'service.name': 'gateway', 'deployment.environment.name': 'prod' },
    },
  ],
])('where spans go when %s', (_, environment, settings) => {
  const problems: Problem[] = []
  expect(readOtlp(environment, problems)).toEqual(settings)
  expect(problems).toEqual([])
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://'],
])('%s=%s is no address', (name, value) => {
  const problems: Problem[] = []
  readOtlp({ [name]: value }, problems)
  expect(problems).toMatchObject([{ where: name }])
})
