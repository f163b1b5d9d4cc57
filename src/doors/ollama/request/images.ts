import type { Part } from '../../../protocol/message.ts'

/** How pictures of each type begin, in base64. */
const beginnings: readonly (readonly [beginning: string, type: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['Qk', 'image/bmp'],
  ['SUkq', 'image/tiff'],
  ['TU0AK', 'image/tiff'],
]

/** `images`: base64 without a type, which its first bytes tell. What is an address already stays one. */
export function readImages(value: unknown): readonly Part[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((image: unknown): Part[] =>
    typeof image === 'string' && image !== '' ? [{ type: 'image', url: toUrl(image) }] : [],
  )
}

function toUrl(image: string): string {
  if (/^(?:data:|https?:\/\/)/i.test(image)) return image
  const type = beginnings.find(([beginning]) => image.startsWith(beginning))?.[1] ?? 'image/png'
  return `data:${type};base64,${image}`
}
