import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { build } from 'vite'

const cache = 'node_modules/.cache'

/** The page as its sources are now, built once for all tests. */
export async function buildPage(mode: 'production' | 'site' = 'production'): Promise<string> {
  const folder = join(
    cache,
    `dragoman-page-${mode}-${hashOf(['web', 'src', 'package-lock.json', import.meta.filename])}`,
  )
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'dragoman-page-fresh-'))
  // What is looked at is what is published: Vite would build for a test what it builds for developers.
  const { NODE_ENV } = process.env
  process.env['NODE_ENV'] = 'production'
  await build({
    configFile: 'web/vite.config.ts',
    mode,
    logLevel: 'error',
    build: { outDir: join(process.cwd(), fresh) },
  })
  process.env['NODE_ENV'] = NODE_ENV
  try {
    renameSync(fresh, folder)
  } catch {
    // Another process was faster.
    rmSync(fresh, { recursive: true, force: true })
  }
  return folder
}

function hashOf(roots: readonly string[]): string {
  const hash = createHash('sha256')
  for (const root of roots) for (const path of filesIn(root)) hash.update(path).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

function filesIn(root: string): readonly string[] {
  if (extname(root) !== '') return [root]
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

const strict = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"

/** A folder on a plain file server, as a documentation site is: below a path, and without a gateway. */
export async function serveFolder(
  folder: string,
  policy = strict,
): Promise<{ readonly address: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname.replace('/docs/', '')
    try {
      const body = readFileSync(join(folder, path === '' ? 'index.html' : path))
      response.writeHead(200, {
        'content-type': types[extname(path) || '.html'] ?? 'text/plain',
        'content-security-policy': policy,
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
