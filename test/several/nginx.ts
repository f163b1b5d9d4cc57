import { spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createFolder } from '../dragoman.ts'
import { need } from '../needs.ts'
import { until } from '../until.ts'

/** The lines for the gateways, as `docs/deploy.md` has them; a test compares. */
export const connectionMap = `
  map $http_upgrade $dragoman_connection {
    default upgrade;
    '' '';
  }`
export const settings = `
    location / {
      proxy_pass http://dragoman;
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $dragoman_connection;
      proxy_set_header Host $host;
      proxy_buffering off;
      proxy_request_buffering off;
      proxy_read_timeout 3600s;
      proxy_next_upstream error timeout http_503 non_idempotent;
      client_max_body_size 32m;
    }`

/** A real nginx on a port of its own, in front of these. */
export async function startNginx(origins: readonly string[]) {
  need('nginx')
  const port = await freePort()
  const servers = origins.map((origin) => `server ${new URL(origin).host} max_fails=0;`).join(' ')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  const place = createFolder({
    'nginx.conf': `
daemon off; master_process off; pid nginx.pid; error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off; ${temporary.join(' ')}
${connectionMap}
  upstream dragoman { ${servers} keepalive 32; }
  server {
    listen 127.0.0.1:${port};${settings}
  }
}
`,
  })
  const child = spawn('nginx', ['-p', place.folder, '-c', join(place.folder, 'nginx.conf')], { stdio: 'ignore' })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const origin = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${origin}/livez`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    origin,
    async stop() {
      child.kill('SIGKILL')
      await gone
      place.remove()
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
