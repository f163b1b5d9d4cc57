/** How long a page may be out of sight before it lets go of what it follows. */
const outOfSightMs = 10_000

/** Resolves when the page is to be seen. */
export function untilShown(): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
  })
}

/**
 * Aborts with the signal that is given, and when the page has been out of sight for a while. A browser has six connections
 * to one address, for all tabs together: a hidden one should not hold any.
 */
export function whileShown(given: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
  const hidden = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (): void => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(() => hidden.abort(), outOfSightMs)
  }
  document.addEventListener('visibilitychange', look)
  look()
  return {
    signal: AbortSignal.any([given, hidden.signal]),
    end: () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    },
  }
}
