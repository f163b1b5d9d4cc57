import type { Scene } from './scene.ts'

/** So many exchanges, recorded without having happened. */
export function record({ recorder }: Scene, count: number, client = 'opencode'): void {
  for (let i = 0; i < count; i++) {
    const path = '/v1/chat/completions'
    const recording = recorder.begin({
      requestId: `req-${client}-${i}`,
      client,
      door: 'chat',
      method: 'POST',
      path,
      url: path,
      headers: [],
      secrets: [],
    })
    const messages = [{ role: 'user', content: `Question ${client} ${i}.` }] as const
    const asked = { model: 'qwen3-coder', messages, tools: [], sampling: {}, extra: {} }
    recording?.read({ model: 'qwen3-coder', streaming: true, requests: [asked], conversation: `${client}-${i}` })
    recording?.end({
      state: 'done',
      status: 200,
      calls: i % 3,
      notes: new Set(),
      changes: [],
      firstByteMs: 12,
      totalMs: 40,
    })
  }
}

/** Scrolls down so many pixels a frame, for so many frames; gives back how long each took. A distance of 0: to the end. */
export const scrollThrough = (frames: number, distance: number): string => `(async () => {
  const scroller = document.querySelector('.scroller')
  const times = []
  scroller.scrollTop = 0
  await new Promise(requestAnimationFrame)
  const step = ${distance} || (scroller.scrollHeight - scroller.clientHeight) / ${frames}
  let last = await new Promise(requestAnimationFrame)
  for (let i = 1; i <= ${frames}; i++) {
    scroller.scrollTop = i * step
    const now = await new Promise(requestAnimationFrame)
    times.push(now - last)
    last = now
  }
  return times
})()`
