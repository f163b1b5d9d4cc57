/** A variable of the environment that is read, and what it does, for people. */
export interface Variable {
  readonly name: string
  readonly does: string
}

/** Every variable that is read. A flag of the same name beats it, and it beats the file. */
export const variables: readonly Variable[] = [
  { name: 'DRAGOMAN_CONFIG', does: 'Config file, like `--config`.' },
  { name: 'DRAGOMAN_LISTEN', does: 'Address to listen on, like `--listen`.' },
  { name: 'DRAGOMAN_PORT', does: 'Port to listen on, like `--port`.' },
  { name: 'DRAGOMAN_UPSTREAM', does: 'URL of your model server, like `--upstream`.' },
  { name: 'DRAGOMAN_UPSTREAM_KEY', does: 'API key for the model server of `--upstream`.' },
  { name: 'DRAGOMAN_MODEL', does: 'Model to serve, like `--model`.' },
  { name: 'DRAGOMAN_TOOLS', does: 'How models get their tools, like `--tools`.' },
  { name: 'DRAGOMAN_DIALECT', does: 'Format to teach tools in, like `--dialect`.' },
  { name: 'DRAGOMAN_DISCOVER', does: 'Where to look for model servers, like `--discover`.' },
  { name: 'DRAGOMAN_WORKERS', does: 'How many processes share the port, like `--workers`.' },
  { name: 'DRAGOMAN_KEYS', does: 'API keys for clients, separated by commas. Replaces `keys`.' },
  { name: 'DRAGOMAN_ALLOWED_HOSTS', does: 'Replaces `allowed_hosts`. Separated by commas.' },
  { name: 'DRAGOMAN_ALLOWED_ORIGINS', does: 'Replaces `allowed_origins`. Separated by commas.' },
  { name: 'DRAGOMAN_LOG', does: '`info` or `debug`. Replaces `log`.' },
  { name: 'DRAGOMAN_TRACES', does: '`memory`, `sqlite` or `off`. Replaces `traces`.' },
  { name: 'DRAGOMAN_INSPECTOR', does: '`on` or `off`. Replaces `inspector`, like `--no-inspector`.' },
  { name: 'OPENAI_BASE_URL', does: 'A model server to use if neither the config file nor `--upstream` names one.' },
  { name: 'OPENAI_API_KEY', does: 'API key for the model server of `OPENAI_BASE_URL`. It is sent nowhere else.' },
  { name: 'OLLAMA_HOST', does: 'Where Ollama is, as Ollama itself reads it.' },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    does: 'Sends traces to this OpenTelemetry collector, over OTLP/HTTP: `http://localhost:4318`. `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is the whole address of its traces instead.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    does: 'Headers for the collector: `authorization=Bearer%20abc,x-tenant=a`. `OTEL_EXPORTER_OTLP_TRACES_HEADERS` adds to them.',
  },
  { name: 'OTEL_SERVICE_NAME', does: 'The name of this service in traces (default `dragoman`).' },
  { name: 'OTEL_RESOURCE_ATTRIBUTES', does: 'More about this service in traces: `deployment.environment.name=prod`.' },
  { name: 'OTEL_TRACES_EXPORTER', does: '`none` sends no traces; so does `OTEL_SDK_DISABLED=true`.' },
  { name: 'NO_COLOR', does: 'Any value turns colours off.' },
  { name: 'TERM', does: '`dumb` turns colours off.' },
  {
    name: 'XDG_CONFIG_HOME',
    does: 'Your config folder (default `~/.config`). The config file is looked for in its `dragoman` folder.',
  },
  {
    name: 'XDG_CACHE_HOME',
    does: 'Your cache folder (default `~/.cache`). Compiled code is kept in its `dragoman` folder, so that the next start is faster. `NODE_DISABLE_COMPILE_CACHE=1` turns that off.',
  },
  {
    name: 'XDG_STATE_HOME',
    does: 'Your state folder (default `~/.local/state`). In its `dragoman` folder, `tune` keeps what it measured, `connect` what it wrote where, gateways where they run, and `traces: sqlite` its `traces.db`.',
  },
  { name: 'PATH', does: 'Where `dragoman launch` looks for agents.' },
  { name: 'APPDATA', does: 'Your config folder on Windows.' },
  { name: 'LOCALAPPDATA', does: 'Your state folder on Windows.' },
  { name: 'NODE_EXTRA_CA_CERTS', does: 'Certificates to trust, for model servers with their own. Read by Node.' },
]
