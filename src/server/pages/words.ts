import type { ModelCard, ServiceCard } from '../../turn/turn.ts'

/** How a model gets its tools, in a few words. */
export function printMode({ tools, dialect }: Pick<ModelCard, 'tools' | 'dialect'>): string {
  const taught = dialect === undefined ? 'prompt' : `prompt (${dialect})`
  if (tools === 'native') return 'native tool calls'
  if (tools === 'template') return `tools via the server's template${dialect === undefined ? '' : ` (${dialect})`}`
  return tools === 'prompt' ? `tools via ${taught}` : `native tool calls, else ${taught}`
}

/** `32k context`: round figures as people write them. */
export function printContext({ contextLength }: Pick<ModelCard, 'contextLength'>): string {
  if (contextLength === undefined) return ''
  if (contextLength < 1000) return `${contextLength} context`
  const binary = contextLength % 1024 === 0
  const thousands = contextLength / (binary ? 1024 : 1000)
  if (thousands < 1000) return `${Math.round(thousands)}k context`
  return `${Number((thousands / (binary ? 1024 : 1000)).toFixed(1))}M context`
}

/** `llama.cpp at http://127.0.0.1:8080/v1`. */
export function printPlace({ product, address }: Pick<ServiceCard, 'product' | 'address'>): string {
  if (address === undefined) return product ?? ''
  return product === undefined ? address : `${product} at ${address}`
}
