import type { StreamPrinter } from '../../doors/door.ts'
import type { ResponseWriter } from '../../doors/serving/answer.ts'

/** How much may wait unread before the turn does. */
const maxUnreadBytes = 64 * 1024

interface Parts {
  readonly printer: Pick<StreamPrinter, 'contentType' | 'beat'>
  readonly headers: () => Record<string, string>
  readonly signal: AbortSignal
  /** The answer has begun. */
  begin(response: Response): void
  /** The reader has cancelled. */
  cancel(): void
}

/** A `Response` that is written piece by piece. */
export function createWriter({ printer, headers, signal, begin, cancel }: Parts): ResponseWriter {
  const encoder = new TextEncoder()
  let begun = false
  let isOver = false
  let drained: (() => void) | undefined
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const wake = (): void => {
    drained?.()
    drained = undefined
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened
      },
      pull: wake,
      cancel() {
        isOver = true
        cancel()
        wake()
      },
    },
    { highWaterMark: maxUnreadBytes, size: (bytes) => bytes?.byteLength ?? 0 },
  )
  signal.addEventListener('abort', () => {
    if (begun && !isOver) controller?.error(signal.reason)
    isOver = true
    wake()
  })

  function open(): void {
    if (begun) return
    begun = true
    begin(new Response(body, { status: 200, headers: { ...headers(), 'content-type': printer.contentType } }))
  }

  function write(text: string): Promise<void> | undefined {
    if (isOver) return undefined
    open()
    controller?.enqueue(encoder.encode(text))
    if ((controller?.desiredSize ?? 0) > 0) return undefined
    return new Promise((resolve) => {
      drained = resolve
    })
  }

  return {
    get begun() {
      return begun
    },
    hold() {
      if (printer.beat !== undefined && !begun) void write(printer.beat)
    },
    write,
    end(text) {
      if (text !== '') void write(text)
      if (isOver) return
      isOver = true
      open()
      controller?.close()
    },
  }
}
