/**
 * Who may import whom. The rules of the linter (`biome.walls.json`) and the table in ARCHITECTURE.md are made from this by
 * `npm run walls`; `test/walls` shows that they hold and that they are up to date.
 */

/** Files beside the folders. They import nothing of ours, and who may import them is said like everything else. */
export const roots: readonly string[] = ['errors.ts', 'clock.ts', 'pause.ts', 'bytes.ts', 'redis.ts']

/** A folder always sees itself. `folder/file.ts` opens that one file only. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  library: [
    'doors',
    'turn',
    'upstreams',
    'dialects',
    'engine',
    'schema',
    'server/response/exchange.ts',
    'server/ids.ts',
    'server/body/json-body.ts',
    'server/router.ts',
    'server/response/send.ts',
    'server/telemetry/trail.ts',
    'server/visit.ts',
    'protocol',
    'errors.ts',
    'clock.ts',
  ],
  cli: ['server', 'tune', 'doctor', 'discovery', 'config', 'protocol', 'errors.ts'],
  server: ['doors', 'turn', 'traces', 'config', 'protocol', 'errors.ts', 'clock.ts', 'pause.ts', 'redis.ts'],
  traces: ['turn', 'config', 'protocol', 'errors.ts', 'clock.ts'],
  doors: ['turn', 'protocol', 'errors.ts', 'bytes.ts'],
  turn: ['dialects', 'engine', 'schema', 'upstreams/upstream.ts', 'protocol', 'errors.ts', 'pause.ts', 'bytes.ts'],
  tune: ['turn', 'upstreams/upstream.ts', 'dialects', 'protocol', 'errors.ts'],
  doctor: ['turn', 'upstreams', 'dialects', 'protocol', 'errors.ts'],
  discovery: ['upstreams', 'protocol', 'errors.ts', 'clock.ts'],
  upstreams: [
    'config/values/fields.ts',
    'config/values/service-url.ts',
    'protocol',
    'errors.ts',
    'clock.ts',
    'pause.ts',
    'bytes.ts',
    'redis.ts',
  ],
  rehearsal: ['upstreams', 'schema', 'config/values/fields.ts', 'protocol', 'clock.ts'],
  config: ['protocol', 'errors.ts'],
  engine: ['dialects/dialect.ts', 'schema', 'protocol'],
  dialects: ['protocol'],
  schema: ['protocol', 'errors.ts'],
  protocol: ['errors.ts'],
}

/** Folders beside `src`, and what of it they see. */
export const beside: Readonly<Record<string, readonly string[]>> = {
  web: ['engine', 'dialects', 'protocol', 'traces/api.ts', 'traces/exchange.ts', 'library/rehearsed.ts'],
}

/** The rooms of folders that do several jobs, for the picture in ARCHITECTURE.md. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  engine: ['text', 'marks', 'answer', 'forms', 'constrain'],
  turn: ['services', 'prompt', 'answer', 'repair'],
  server: ['access', 'body', 'response', 'telemetry', 'metrics', 'quota', 'pages', 'inspector'],
  config: ['sources', 'values'],
  upstreams: ['wire', 'refusals', 'flavours'],
  cli: ['compose', 'serve', 'workers', 'explain', 'connect', 'launch', 'tune', 'terminal'],
  tune: ['battery', 'statistics'],
  traces: ['recording', 'store', 'telling'],
}

interface Window {
  /** The files, as a pattern, and one of them to try it with. */
  readonly files: string
  readonly example: string
  /** What they see besides what their folder does. */
  readonly also: readonly string[]
  /** What their work is, for ARCHITECTURE.md. */
  readonly why: string
}

/** Files whose work is to look further in. */
export const windows: readonly Window[] = [
  {
    files: 'cli/compose/**',
    example: 'cli/compose/compose.ts',
    also: ['doors', 'turn', 'traces', 'upstreams', 'rehearsal', 'dialects', 'engine', 'clock.ts', 'redis.ts'],
    why: 'makes the parts and joins them',
  },
  {
    files: 'cli/explain/**',
    example: 'cli/explain/batch.ts',
    also: ['engine', 'dialects', 'doors'],
    why: 'shows the engine at work',
  },
  {
    files: 'cli/workers/**',
    example: 'cli/workers/shared.ts',
    also: ['upstreams', 'clock.ts'],
    why: 'keeps for several processes what each would keep for itself',
  },
  {
    files: 'library/rehearsed.ts',
    example: 'library/rehearsed.ts',
    also: ['rehearsal', 'traces'],
    why: 'runs the stand-in and records it, in a page without a server',
  },
  { files: 'cli/prompt.ts', example: 'cli/prompt.ts', also: ['doors', 'turn'], why: 'shows what the turn prepares' },
]

/** Folders without a clock, randomness, logging, `node:` modules and packages, except for those named here. */
export const pure: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  schema: [],
  dialects: [],
  engine: ['yaml'],
}

/** What a pure folder is handed instead of reaching for it. */
export const impureGlobals: readonly string[] = [
  'process',
  'console',
  'Date',
  'performance',
  'crypto',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'queueMicrotask',
  'fetch',
  'WebSocket',
  'EventSource',
  'Buffer',
  'require',
  'globalThis',
  'global',
  'window',
  'document',
  'navigator',
  'localStorage',
]

export const folders: readonly string[] = Object.keys(arrows)
