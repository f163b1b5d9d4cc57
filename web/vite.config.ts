import { defineConfig } from 'vite'

/** The inspector, and the reader as a page of its own that needs no server: in mode `site`, that page alone. */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  // Relative, so that it works below any path.
  base: './',
  build: {
    outDir: '../dist/inspector',
    emptyOutDir: true,
    target: 'es2023',
    // A polyfill would be an inline script, and data: addresses would need a wider policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: (mode === 'site' ? ['reader'] : ['index', 'reader']).map((page) => `${import.meta.dirname}/${page}.html`),
    },
  },
}))
