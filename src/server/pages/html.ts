import type { IncomingMessage } from 'node:http'

/** A page that stands alone: it loads nothing and runs nothing. */
export const htmlHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // Without a referrer, a browser says nothing of where a form was sent from.
  'referrer-policy': 'same-origin',
}

/** A browser shows what it opened: it gets a page where programs get text or JSON. */
export function isForPeople({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (headers.accept ?? '').includes('text/html')
}

/** `main` is HTML. */
export function printHtml(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<main>
${main}
</main>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const style = `
:root { color-scheme: light dark; --quiet: light-dark(#666, #999); --line: light-dark(#ddd, #333) }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; padding: 3rem 1.5rem; background: light-dark(#fff, #17171a); color: light-dark(#1c1c21, #ececf0) }
main { max-width: 44rem; margin: auto }
h1 { margin: 0 } h2 { font-size: 1.1rem; margin: 0 }
small { font-weight: normal; color: var(--quiet); font-size: .8em }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: 1.5rem 0 }
dt { color: var(--quiet) } dd { margin: 0 }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
section { border: 1px solid var(--line); border-left: .3rem solid #999; border-radius: .4rem; padding: .8rem 1rem; margin: 1rem 0 }
section.up { border-left-color: #2a9d4a } section.down { border-left-color: #d33 }
section p { margin: .25rem 0 } .place { color: var(--quiet); overflow-wrap: anywhere }
table { border-spacing: 0; margin-top: .5rem } td { padding: .1rem 1.5rem .1rem 0; vertical-align: top }
td + td { color: var(--quiet) }
input, button { font: inherit; padding: .2rem .6rem }
`
