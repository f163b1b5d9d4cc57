import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../inspector/browser.ts'
import { bundle } from './bundle.ts'
import { type installPackage, root, run } from './install.ts'
import { layExamples } from './lay-examples.ts'

type Place = Awaited<ReturnType<typeof installPackage>>

const call = 'get_weather {"city": "Oslo"}'

/** The projects in `examples/`, beside the installed package. */
export function describeExamples(place: () => Place): void {
  describe('the examples, with the package as it is installed', () => {
    let folder = ''

    beforeAll(() => {
      folder = layExamples(place().installed)
    })

    async function play(path: string): Promise<string> {
      const cwd = join(folder, dirname(path))
      return (await run(process.execPath, [path.split('/')[1] ?? ''], { cwd, env: place().env })).stdout
    }

    test('a bridge to a service of text, in forty lines', async () => {
      expect(await play('bridge/bridge.ts')).toBe(`Let me look. [${call}]\nYes: it is -7 °C and snowing.\n`)
      const lines = readFileSync('examples/bridge/bridge.ts', 'utf8').trim().split('\n')
      expect(lines.length).toBeLessThanOrEqual(40)
    })

    test("OpenAI's client over a function", async () => {
      const lines = (await play('openai-sdk/main.ts')).trim().split('\n')
      expect(lines.filter((line) => line.startsWith('arguments ')).length).toBeGreaterThan(1)
      expect(lines.filter((line) => !line.startsWith('arguments '))).toEqual([
        `call ${call}`,
        'Yes: it is -7 °C and snowing.',
      ])
    })

    test('the AI SDK with a model that has no tools', async () => {
      expect((await play('ai-sdk/main.ts')).split('\n').filter((line) => line !== '')).toEqual([
        'Let me look.',
        'call get_weather {"city":"Oslo"}',
        'result -7 °C and snow in Oslo',
        'Yes: it is -7 °C and snowing.',
      ])
    })

    test('a page that reads a stream, in a browser', async () => {
      const script = await bundle(join(folder, 'browser/page.ts'))
      const html = readFileSync(join(folder, 'browser/index.html'), 'utf8')
      const files: Readonly<Record<string, readonly [string, string]>> = {
        '/': ['text/html', html],
        '/page.ts': ['text/javascript', script],
        '/answer.txt': ['text/plain', readFileSync(join(folder, 'browser/answer.txt'), 'utf8')],
      }
      const server = createServer(({ url = '' }, response) => {
        const [type, body] = files[url] ?? ['text/plain', '']
        response.writeHead(200, { 'content-type': type }).end(body)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const browser = await startBrowser()
      try {
        const { page, problems } = await browser.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
        await page.waitForSelector('.finish')
        expect(await page.locator('p').allTextContents()).toEqual(['Let me look.', call, 'tool_calls'])
        expect(problems.filter((problem) => !problem.includes('favicon'))).toEqual([])
      } finally {
        await browser.close()
        server.close()
      }
    }, 30_000)

    test('a worker, bundled without anything of Node', async () => {
      const script = await bundle(join(folder, 'worker/worker.ts'))
      expect(script.match(/from ?["'`](?:node:|undici)[^"'`]*|\brequire\(/g) ?? []).toEqual([])
      mkdirSync(join(folder, 'built'), { recursive: true })
      writeFileSync(join(folder, 'built/worker.mjs'), script)
      const { default: worker } = await import(join(folder, 'built/worker.mjs'))
      const request = (stream: boolean) =>
        new Request('https://worker.example/v1/chat/completions', {
          method: 'POST',
          body: JSON.stringify({
            model: 'any',
            stream,
            messages: [{ role: 'user', content: 'Weather?' }],
            tools: [{ type: 'function', function: { name: 'get_weather' } }],
          }),
        })
      expect(await (await worker.fetch(request(false), {})).json()).toMatchObject({
        choices: [{ finish_reason: 'tool_calls', message: { content: 'Let me look.' } }],
      })
      expect(await (await worker.fetch(request(true), {})).text()).toMatch(/"finish_reason":"tool_calls".*\[DONE\]/s)
    })

    test.each([
      ['nodenext', ['--module', 'nodenext', '--lib', 'es2024,esnext.array,dom,dom.asynciterable']],
      [
        'bundler',
        ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2024,esnext.array,dom,dom.asynciterable'],
      ],
    ])(
      'everything is typed, under %s',
      async (_, flags) => {
        const strict = ['--noEmit', '--strict', '--target', 'es2024', '--allowImportingTsExtensions', '--types', 'node']
        const tsc = join(root, 'node_modules/typescript/bin/tsc')
        const check = async (files: readonly string[], more: readonly string[] = []) => {
          const args = [...strict, ...flags, ...more, ...files]
          const done = await run(process.execPath, [tsc, ...args], { cwd: folder }).catch(({ stdout }) => ({ stdout }))
          expect(done.stdout).toBe('')
        }
        const entries = ['dragoman', 'dragoman/engine', 'dragoman/core', 'dragoman/fetch']
        const lines = entries.map((entry, i) => `export * as entry${i} from '${entry}'`)
        lines.push("export { deepseekV31 } from 'dragoman/dialects/deepseek-v3.1'")
        writeFileSync(join(folder, 'consumer.ts'), `${lines.join('\n')}\n`)
        await check(['consumer.ts', 'bridge/bridge.ts', 'browser/page.ts', 'worker/worker.ts'])
        // The declarations of their packages want more than they bring.
        await check(['openai-sdk/main.ts', 'ai-sdk/main.ts'], ['--skipLibCheck'])
      },
      60_000,
    )

    test.each([
      [
        'one dialect to read',
        "export { readStream } from 'dragoman/core'\nexport { hermes } from 'dragoman/dialects/hermes'",
        29,
      ],
      [
        'one dialect to teach, read and tell',
        "export * from 'dragoman/core'\nexport { hermes } from 'dragoman/dialects/hermes'",
        40,
      ],
      ['the engine with every dialect', "export * from 'dragoman/engine'", 117],
      ['the middleware for the AI SDK', "export * from 'dragoman/ai-sdk'", 100],
      ['the fetch', "export * from 'dragoman/fetch'", 239],
    ])('%s is small', async (name, text, most) => {
      const entry = join(folder, `${name.replaceAll(' ', '-')}.mjs`)
      writeFileSync(entry, text)
      const size = gzipSync(await bundle(entry), { level: 9 }).length / 1000
      console.log(`${name}: ${size.toFixed(1)} kB gzipped`)
      expect(size).toBeLessThan(most)
    })
  })
}
