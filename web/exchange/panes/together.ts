/** Panes that hold messages scroll together: where one shows a turn at its top, the other shows the same one. */

let leader: Element | undefined
let release: ReturnType<typeof setTimeout> | undefined

export function scrollAlong(event: Event): void {
  const body = event.currentTarget as HTMLElement
  if (leader !== undefined && leader !== body) return
  const top = topTurn(body)
  if (top === undefined) return
  leader = body
  clearTimeout(release)
  release = setTimeout(() => (leader = undefined), 120)
  for (const other of body.closest('.panes')?.querySelectorAll<HTMLElement>('.pane-body') ?? []) {
    if (other === body) continue
    const partner = other.querySelector<HTMLElement>(`[data-turn="${top.turn}"]`)
    if (partner === null) continue
    const place = partner.offsetTop - other.offsetTop
    // As far into the turn here as there, so that long ones do not jump.
    other.scrollTop = place + Math.min(top.into, heightOf(other, top.turn))
  }
}

function topTurn(body: HTMLElement): { readonly turn: string; readonly into: number } | undefined {
  let found: { turn: string; into: number } | undefined
  for (const block of body.querySelectorAll<HTMLElement>('[data-turn]')) {
    const into = body.scrollTop - (block.offsetTop - body.offsetTop)
    if (into < -8) break
    const turn = block.dataset['turn'] ?? ''
    if (found?.turn !== turn) found = { turn, into: Math.max(0, into) }
  }
  return found
}

function heightOf(body: HTMLElement, turn: string): number {
  let height = 0
  for (const block of body.querySelectorAll<HTMLElement>(`[data-turn="${turn}"]`)) height += block.offsetHeight
  return Math.max(0, height - 40)
}
