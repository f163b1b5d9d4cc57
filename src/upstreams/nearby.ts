/** Whether a host is this machine or one on its own network, by its name alone. */
export function isNearby(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (host.includes(':')) return host === '::1' || /^f[cd]|^fe80:/.test(host)
  if (/^\d+(?:\.\d+){3}$/.test(host)) {
    return /^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\./.test(host)
  }
  return !host.includes('.') || /\.(?:local|internal|lan|localhost)$/.test(host)
}
