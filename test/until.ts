/** Waits for what comes from outside this process and cannot be told by anybody. */
export async function until(isSo: () => unknown, withinMs = 15_000): Promise<void> {
  const end = Date.now() + withinMs
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('It did not come to that in time.')
    await new Promise((done) => setTimeout(done, 20))
  }
}
