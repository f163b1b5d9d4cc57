import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { need } from '../needs.ts'

/** What the tests' browser is started with: no network of its own, and nothing kept. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Browser {
  /** A window of its own, with what went wrong in it. */
  open(address: string, looks?: Looks): Promise<Tab>
  close(): Promise<void>
}

export interface Looks {
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
}

export interface Tab {
  readonly page: Page
  /** Console errors, uncaught errors and refusals of the content security policy. */
  readonly problems: readonly string[]
  /** Hosts that were asked for anything. */
  readonly hosts: ReadonlySet<string>
}

/** Debian's Chromium, with a new empty profile. */
export async function startBrowser(): Promise<Browser> {
  need('chromium')
  const profile = mkdtempSync(join(tmpdir(), 'dragoman-chromium-'))
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    headless: true,
    args: flags,
    viewport: { width: 1440, height: 900 },
  })
  context.setDefaultTimeout(5_000)
  return {
    async open(address, { width = 1440, height = 900, scheme = 'light' } = {}) {
      const page = await context.newPage()
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      const problems: string[] = []
      const hosts = new Set<string>()
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('request', (request) => hosts.add(new URL(request.url()).host))
      await page.goto(address)
      return { page, problems, hosts }
    },
    async close() {
      await context.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
