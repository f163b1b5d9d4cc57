/** How long to wait, as people say it: `4 hours`, `90 minutes`, `30 seconds`. */
export function waitWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds))
  if (whole % 3600 === 0) return counted(whole / 3600, 'hour')
  return whole % 60 === 0 || whole > 600 ? counted(Math.ceil(whole / 60), 'minute') : counted(whole, 'second')
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
