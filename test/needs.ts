import { spawnSync } from 'node:child_process'

const installMs = 120_000

/**
 * Makes sure that a program is there which tests need beside Node. Where it is missing, it is installed from Debian's
 * packages, if this is Debian and the tests run as root; else the error says in one line what to install.
 */
export function need(program: string, debianPackage = program): void {
  if (isThere(program)) return
  if (process.getuid?.() === 0 && isThere('apt-get')) {
    // A runlevel of 1 keeps the package from starting its service.
    const options = { timeout: installMs, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } }
    spawnSync('apt-get', ['update'], options)
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', debianPackage], options)
    if (isThere(program)) return
  }
  throw new Error(`${program} is missing: install it (Debian's package is ${debianPackage}) and run the tests again.`)
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}
