import { render } from 'preact'
import { nextTheme, theme, watchTheme } from './app/theme.ts'
import { Reader } from './reader/reader.tsx'
import './style/style.css'

/** The reader as a page of its own: everything happens in the browser. */
function Page() {
  return (
    <div class="frame">
      <header class="bar">
        <span class="brand">
          <span class="brand-sign" aria-hidden="true">
            ◆
          </span>{' '}
          <span class="brand-name">Dragoman</span>
        </span>
        <span class="muted">Reader: see which parts of a model's output are tool calls, and why</span>
        <div class="bar-end">
          <button type="button" class="button plain" onClick={nextTheme} aria-label={`Colours: ${theme.value}. Change`}>
            ◐
          </button>
        </div>
      </header>
      <Reader />
    </div>
  )
}

watchTheme()
const root = document.querySelector('#app')
if (root !== null) render(<Page />, root)
