import { chmodSync, cpSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { outcomeOf, startDragoman, untilSaid } from '../dragoman.ts'
import type { installPackage } from './install.ts'

/** The user called nobody, as on most systems. The image has one of its own, which is as powerless. */
const nobody = 65_534

/** The folder /app of the image, as `deploy/Dockerfile` puts it together. Nothing in it can be written. */
export function layOut({ installed, scratch }: Awaited<ReturnType<typeof installPackage>>): string {
  const app = join(scratch, 'app')
  cpSync(join(installed, 'dragoman'), app, { recursive: true })
  mkdirSync(join(app, 'node_modules'))
  for (const name of readdirSync(installed).filter((one) => one !== 'dragoman' && !one.startsWith('.'))) {
    cpSync(join(installed, name), join(app, 'node_modules', name), { recursive: true })
  }
  cpSync('node_modules/@redis', join(app, 'node_modules/@redis'), { recursive: true })
  cpSync('deploy/healthcheck.mjs', join(app, 'healthcheck.mjs'))
  for (const path of readdirSync(app, { recursive: true, encoding: 'utf8' })) chmodSync(join(app, path), 0o555)
  chmodSync(app, 0o555)
  // npm's folders are for their owner alone.
  chmodSync(scratch, 0o755)
  return app
}

/** What can be removed again. */
export function unlock(app: string): void {
  const parked = `${app}-done`
  renameSync(app, parked)
  chmodSync(parked, 0o755)
  for (const path of readdirSync(parked, { recursive: true, encoding: 'utf8' })) chmodSync(join(parked, path), 0o755)
}

/**
 * Starts it as the image does, as a user who can write nothing. Only root can become another user. `open` is a folder that
 * this user should be able to read.
 */
export async function startContainer(app: string, environment: Readonly<Record<string, string>>, open?: string) {
  if (open !== undefined) chmodSync(open, 0o755)
  const become = `process.setgroups([]); process.setgid(${nobody}); process.setuid(${nobody})`
  const powerless = process.getuid?.() === 0 ? ['--import', `data:text/javascript,${encodeURIComponent(become)}`] : []
  const child = startDragoman(['serve', '--strict-port'], {
    folder: app,
    command: [process.execPath, ...powerless, join(app, 'dist/cli/main.js')],
    environment: {
      HOME: '/nonexistent',
      TMPDIR: app,
      NODE_COMPILE_CACHE: undefined,
      NODE_ENV: 'production',
      ...environment,
    },
  })
  const outcome = outcomeOf(child)
  const banner = await untilSaid(child.stdout, /http:\/\/127\.0\.0\.1:\d+/)
  const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(banner) ?? []
  return { child, outcome, origin }
}
