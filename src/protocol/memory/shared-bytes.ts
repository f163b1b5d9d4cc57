/** Bytes that several may keep at once, and that count only once: whoever keeps them adds itself to their users. */
export interface SharedBytes {
  readonly bytes: Uint8Array
  users: number
}

/** What went over a wire: a text, or bytes in pieces, of which some came or went before and will again. */
export type WireBody = string | readonly (SharedBytes | Uint8Array)[]
