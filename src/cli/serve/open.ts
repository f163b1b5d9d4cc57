import { spawn } from 'node:child_process'
import type { Terminal } from '../terminal/terminal.ts'

/** Shows a page in the user's browser. A machine without one is told the address instead. */
export function openBrowser(url: string, terminal: Terminal): void {
  const [command, ...words] = commandFor(terminal.surroundings.platform)
  const browser = spawn(command, [...words, url], { stdio: 'ignore', detached: true })
  browser.on('error', () => terminal.complain(`I couldn't open a browser. The page is at ${url}\n`))
  browser.unref()
}

function commandFor(platform: string): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open']
  return platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
}
