import { defineConfig } from 'vite'

/** The inspector: `/inspector`, and the reader as a page of its own that needs no server. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  build: {
    outDir: '../dist/inspector',
    emptyOutDir: true,
    target: 'es2023',
    // A polyfill would be an inline script, and data: addresses would need a wider policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: ['index.html', 'reader.html'].map((page) => `${import.meta.dirname}/${page}`) },
  },
})
