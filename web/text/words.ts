/** Times and sizes as people say them. The exact figure belongs into a title. */

export function inTime(ms: number): string {
  if (ms === 0) return '0'
  if (ms < 0.05) return '< 0.1 ms'
  if (ms < 9.95) return `${Math.round(ms * 10) / 10} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const kilo = 1024
const mega = kilo * kilo

/** In the units of the config file, where `64mb` is 64 times 1024 times 1024 bytes. */
export function inSize(bytes: number): string {
  if (bytes < kilo) return `${bytes} B`
  if (bytes < 999.5 * kilo) return `${(bytes / kilo).toFixed(bytes < 9.95 * kilo ? 1 : 0)} kB`
  return `${(bytes / mega).toFixed(bytes < 9.95 * mega ? 1 : 0)} MB`
}

/** How long a text is: what it takes as bytes is not known here. */
export function inLength(characters: number): string {
  return characters === 1 ? '1 char' : `${inShort(characters)} chars`
}

const plain = new Intl.NumberFormat('en')

export function inDigits(count: number): string {
  return plain.format(count)
}

/** A speed: 0, 9.3, 41, 3,200. */
export function inPace(perSecond: number): string {
  return inDigits(perSecond < 10 ? Math.round(perSecond * 10) / 10 : Math.round(perSecond))
}

/** 950, 12.4k, 1.3M: for columns. */
export function inShort(count: number): string {
  if (count < 1000) return String(Math.round(count))
  if (count < 999_500) return `${(count / 1000).toFixed(count < 99_950 ? 1 : 0)}k`
  return `${(count / 1e6).toFixed(1)}M`
}

/** "1 call", "2 calls". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${inDigits(count)} ${count === 1 ? one : many}`
}

/** The time of day on this machine. */
export function inClock(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':')
}

export function inDate(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC')
}
