import { signal } from '@preact/signals'

/** Below this there is room for one thing at a time; `style/` says the same. */
const narrow = matchMedia('(max-width: 900px)')

export const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', () => (isNarrow.value = narrow.matches))
