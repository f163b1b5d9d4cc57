import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

// Written by scripts/site/build.ts, beside the pages.
const { base, repository, sidebar } = JSON.parse(readFileSync(new URL('../pages/site.json', import.meta.url), 'utf8'))

/** As repository pages make them, so that a link works in both places. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
    .replaceAll(' ', '-')

export default defineConfig({
  title: 'Dragoman',
  description: 'Tool calling for every model, behind the APIs your agent already speaks.',
  lang: 'en',
  base,
  srcDir: 'pages',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: `${base}mark.svg`, type: 'image/svg+xml' }]],
  // Addresses in the text are examples, not links.
  markdown: { anchor: { slugify }, toc: { slugify }, linkify: false },
  ignoreDeadLinks: 'localhostLinks',
  themeConfig: {
    logo: '/mark.svg',
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Agents', link: '/clients' },
      { text: 'Model servers', link: '/upstreams' },
      { text: 'Reference', link: '/reference' },
      { text: 'Try it', link: '/try/playground.html', target: '_self' },
    ],
    ...(repository !== undefined && { socialLinks: [{ icon: 'github', link: repository }] }),
    footer: { message: 'MIT licence' },
  },
})
