import { effect, signal } from '@preact/signals'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

export const theme = signal<Theme>(stored())

function stored(): Theme {
  const value = read('dragoman-theme')
  return themes.find((one) => one === value) ?? 'auto'
}

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'auto'
}

export function watchTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value
    write('dragoman-theme', theme.value)
  })
}

/** A browser may refuse to keep anything. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // It is asked again next time.
  }
}
