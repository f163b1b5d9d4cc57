import type { Door, Route } from '../../doors/door.ts'

const errorBody = { description: "What is wrong, in the shape of this path's API." }

/** Failures that any path of a door may answer with. */
const failures = {
  '400': errorBody,
  '401': errorBody,
  '403': errorBody,
  '404': errorBody,
  '405': errorBody,
  '408': errorBody,
  '413': errorBody,
  '415': errorBody,
  '429': { ...errorBody, headers: { 'retry-after': { schema: { type: 'integer' } } } },
  '431': errorBody,
  '500': errorBody,
  '502': errorBody,
  '503': errorBody,
  '504': errorBody,
}

const own = {
  '/livez': 'Whether the process is there.',
  '/readyz': 'Whether requests can be answered.',
  '/healthz': 'The same as `/livez`.',
  '/health': 'The same as `/readyz`.',
  '/metrics': 'Figures for Prometheus.',
  '/openapi.json': 'This document.',
}

/** What is served, for programs: every route of every door, as OpenAPI 3.1. */
export function printOpenApi(doors: readonly Door[], version: string): string {
  const paths: Record<string, Record<string, object>> = Object.create(null)
  for (const [path, description] of Object.entries(own)) {
    const content = { [path === '/metrics' ? 'text/plain' : 'application/json']: {} }
    paths[path] = {
      get: { description, security: [], responses: { '200': { description, content }, '503': errorBody } },
    }
  }
  for (const door of doors) {
    for (const route of door.routes) {
      // What is for some clients only, such as a refusal of web sockets, is nothing to call.
      if (route.wants !== undefined) continue
      const { path, parameters } = templateOf(route)
      const methods = (paths[path] ??= Object.create(null) as Record<string, object>)
      methods[route.method.toLowerCase()] ??= operationOf(door, route, parameters)
    }
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Dragoman', version, description: 'A gateway that gives every model tool calling.' },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        header: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
    security: [{ bearer: [] }, { header: [] }, {}],
  })
}

function templateOf({ path }: Route): { readonly path: string; readonly parameters: readonly object[] } {
  if (!path.endsWith('/') || path === '/') return { path, parameters: [] }
  return {
    path: `${path}{rest}`,
    parameters: [{ name: 'rest', in: 'path', required: true, schema: { type: 'string' } }],
  }
}

function operationOf(door: Door, route: Route, parameters: readonly object[]): object {
  const isExchange = 'read' in route
  const schema = route.body ?? { type: 'object' }
  const { streamType = isExchange ? 'text/event-stream' : undefined } = route
  const answers = { 'application/json': {}, ...(streamType !== undefined && { [streamType]: {} }) }
  return {
    operationId: `${door.name} ${route.method} ${route.path}`.replace(/[^a-z0-9]+/gi, '_').toLowerCase(),
    tags: [door.name],
    ...(parameters.length > 0 && { parameters }),
    ...((isExchange || route.body !== undefined) && {
      requestBody: { required: true, content: { 'application/json': { schema } } },
    }),
    responses: { '200': { description: 'The answer.', content: answers }, ...failures },
  }
}
