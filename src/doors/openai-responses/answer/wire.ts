import type { JsonObject } from '../../../protocol/json.ts'

/** Takes the events of a streamed response. */
export interface Wire {
  event(type: string, fields: JsonObject): void
  /** A piece of a text: the commonest event by far, so everything around the piece is printed once. */
  delta(frame: DeltaFrame, text: string): void
}

export interface DeltaFrame {
  readonly beforeNumber: string
  readonly beforeText: string
  readonly afterText: string
}

export function frameOf(type: string, fields: JsonObject, more = ''): DeltaFrame {
  return {
    beforeNumber: `event: ${type}\ndata: {"type":"${type}","sequence_number":`,
    beforeText: `,${JSON.stringify(fields).slice(1, -1)},"delta":`,
    afterText: `${more}}\n\n`,
  }
}

/** For answers in one piece. */
export const silentWire: Wire = { event: () => undefined, delta: () => undefined }

export interface PrintingWire extends Wire {
  /** An event whose fields are JSON already. */
  raw(type: string, fields: string): void
  /** What was printed since it was last taken. */
  take(): string
}

export function createWire(): PrintingWire {
  let printed = ''
  /** From 0 and without gaps. */
  let number = 0
  const raw = (type: string, fields: string): void => {
    printed += `event: ${type}\ndata: {"type":"${type}","sequence_number":${number++},${fields}}\n\n`
  }
  return {
    raw,
    event: (type, fields) => raw(type, JSON.stringify(fields).slice(1, -1)),
    delta({ beforeNumber, beforeText, afterText }, text) {
      printed += beforeNumber + number++ + beforeText + JSON.stringify(text) + afterText
    },
    take() {
      const taken = printed
      printed = ''
      return taken
    },
  }
}
