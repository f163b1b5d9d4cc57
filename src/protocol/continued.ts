/** An iteration whose first step was taken already, to know of a failure before anything is promised. Leaving it early leaves `rest`. */
export async function* continued<T>(
  first: IteratorResult<T, unknown>,
  rest: AsyncIterator<T, unknown>,
): AsyncGenerator<T, void> {
  try {
    for (let step = first; step.done !== true; step = await rest.next()) yield step.value
  } finally {
    await rest.return?.()
  }
}
