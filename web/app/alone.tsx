import { type ComponentChildren, render } from 'preact'
import { nextTheme, theme, watchTheme } from './theme.ts'

interface AloneProps {
  readonly here: 'Playground' | 'Reader'
  readonly words: string
  readonly children: ComponentChildren
}

const pages = { Playground: 'playground.html', Reader: 'reader.html' } as const

/** A view as a page of its own, that needs no server. */
function Alone({ here, words, children }: AloneProps) {
  return (
    <div class="frame">
      <header class="bar">
        <span class="brand">
          <img class="brand-sign" src="./favicon.svg" alt="" /> <span class="brand-name">Dragoman</span>
        </span>
        <nav class="tabs" aria-label="Pages">
          {Object.entries(pages).map(([name, href]) => (
            <a key={name} href={href} aria-current={name === here ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <span class="muted alone-words">{words}</span>
        <div class="bar-end">
          <button type="button" class="button plain" onClick={nextTheme} aria-label={`Colours: ${theme.value}. Change`}>
            ◐
          </button>
        </div>
      </header>
      {children}
    </div>
  )
}

export function showAlone(props: AloneProps): void {
  watchTheme()
  const root = document.querySelector('#app')
  if (root !== null) render(<Alone {...props} />, root)
}
