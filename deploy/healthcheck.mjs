// Asks the gateway in this container whether it is alive. The image has no shell and no curl.
const { DRAGOMAN_PORT, DRAGOMAN_LISTEN = '' } = process.env
const port = DRAGOMAN_PORT || DRAGOMAN_LISTEN.split(':').at(-1) || '8484'

try {
  const response = await fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(2_000) })
  process.exitCode = response.ok ? 0 : 1
} catch (error) {
  process.stderr.write(`${error.cause?.message ?? error.message}\n`)
  process.exitCode = 1
}
