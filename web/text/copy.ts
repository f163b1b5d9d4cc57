import { signal } from '@preact/signals'

/** What was last copied, said for a moment; also when it could not be. */
export const copied = signal<string | undefined>(undefined)

let forget: ReturnType<typeof setTimeout> | undefined

export async function copy(text: string, what: string): Promise<void> {
  try {
    await writeClipboard(text)
    tell(`Copied ${what}`)
  } catch {
    tell(`Your browser won't let this page copy. Select the text and copy it yourself.`)
  }
}

/** Pages that came by plain HTTP from another machine have no `navigator.clipboard`. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'hidden-label'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('not copied')
}

export function tell(words: string): void {
  copied.value = words
  clearTimeout(forget)
  forget = setTimeout(() => (copied.value = undefined), 4_000)
}

export function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
