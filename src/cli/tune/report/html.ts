/** Text that may stand anywhere in a page: names come from servers. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** A number without a tail of digits. */
export function short(value: number): string {
  return String(Math.round(value * 10) / 10)
}
