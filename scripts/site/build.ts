import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFront, readPages, toSidebar } from './pages.ts'

/** `npx node scripts/site/build.ts`: the documents as a static site in site/.vitepress/dist. What builds it is installed in site/, on demand. */

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, SITE_BASE: base = '/' } = process.env
const repository = server !== undefined && name !== undefined ? `${server}/${name}` : undefined

rmSync('site/pages', { recursive: true, force: true })
const pages = readPages(repository)
for (const { path, text } of pages) {
  const file = join('site/pages', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
// One mark for the site and the inspector.
cpSync('web/public/favicon.svg', 'site/pages/public/mark.svg')
writeFileSync('site/pages/index.md', makeFront(repository))
writeFileSync('site/pages/site.json', JSON.stringify({ base, repository, sidebar: toSidebar(pages) }, undefined, 2))

const words =
  process.argv[2] === '--pages'
    ? []
    : [
        ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
        ['run', 'build'],
      ]
// The playground and the reader run in the browser alone, so people can try them before they install anything.
if (words.length > 0) {
  const options = ['--mode', 'site', '--logLevel', 'warn', '--outDir', join(process.cwd(), 'site/pages/public/try')]
  const { status } = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'web', ...options], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
for (const word of words) {
  const { status } = spawnSync('npm', [...word], { cwd: 'site', stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
