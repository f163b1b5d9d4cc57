import { defineConfig } from 'vite'
import { readingYaml } from './reading-yaml.ts'

/** The inspector, with the reader as a page of its own; in mode `site`, what needs no server: the reader and a playground. */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  // Relative, so that it works below any path.
  base: './',
  plugins: [readingYaml],
  build: {
    outDir: '../dist/inspector',
    emptyOutDir: true,
    target: 'es2023',
    // A polyfill would be an inline script, and data: addresses would need a wider policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: (mode === 'site' ? ['playground', 'reader'] : ['index', 'reader']).map(
        (page) => `${import.meta.dirname}/${page}.html`,
      ),
    },
  },
}))
