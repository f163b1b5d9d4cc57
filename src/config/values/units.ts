const durationUnits = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const sizeUnits = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 } as const

export const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/
export const sizePattern = /^(\d+(?:\.\d+)?)(b|kb|mb|gb)$/i

/** A checked duration in milliseconds: `90s`, `30m`, `1h`; a bare number counts seconds. */
export function toMilliseconds(duration: string | number): number {
  if (typeof duration === 'number') return Math.round(duration * 1000)
  const [, amount, unit] = durationPattern.exec(duration) ?? []
  return Math.round(Number(amount) * durationUnits[unit as keyof typeof durationUnits])
}

/** A checked size in bytes: `512kb`, `32mb`, in steps of 1024; a bare number counts bytes. */
export function toBytes(size: string | number): number {
  if (typeof size === 'number') return size
  const [, amount, unit] = sizePattern.exec(size) ?? []
  return Math.round(Number(amount) * sizeUnits[unit?.toLowerCase() as keyof typeof sizeUnits])
}
