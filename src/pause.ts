/** Lets others have their turn, at once where the runtime can. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve)
  })
}

/** What is longer takes so long to be gone through that others should have a turn between two steps of it. */
export const longText = 1 << 20
