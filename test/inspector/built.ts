import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { build } from 'vite'

/** The page, built anew into a folder of its own. */
export async function buildPage(): Promise<{ readonly folder: string; readonly remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-page-'))
  await build({ configFile: 'web/vite.config.ts', logLevel: 'error', build: { outDir: folder } })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** A folder on a plain file server, as a documentation site is: below a path, and without a gateway. */
export async function serveFolder(folder: string): Promise<{ readonly address: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname.replace('/docs/', '')
    try {
      const body = readFileSync(join(folder, path))
      response.writeHead(200, {
        'content-type': types[extname(path)] ?? 'text/plain',
        'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'",
      })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/docs/`, close: () => server.close() }
}
