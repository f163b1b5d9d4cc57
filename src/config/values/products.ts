/** Model servers and services that people look for as a `kind`, each with the address it usually has. */
const products: ReadonlyMap<string, string> = new Map([
  ['vllm', 'http://127.0.0.1:8000/v1'],
  ['sglang', 'http://127.0.0.1:30000/v1'],
  ['ollama', 'http://127.0.0.1:11434/v1'],
  ['llamacpp', 'http://127.0.0.1:8080/v1'],
  ['llamaserver', 'http://127.0.0.1:8080/v1'],
  ['localai', 'http://127.0.0.1:8080/v1'],
  ['lmstudio', 'http://127.0.0.1:1234/v1'],
  ['jan', 'http://127.0.0.1:1337/v1'],
  ['litellm', 'http://127.0.0.1:4000/v1'],
  ['tgi', 'http://127.0.0.1:3000/v1'],
  ['openrouter', 'https://openrouter.ai/api/v1'],
  ['groq', 'https://api.groq.com/openai/v1'],
  ['mistral', 'https://api.mistral.ai/v1'],
  ['deepseek', 'https://api.deepseek.com/v1'],
  ['together', 'https://api.together.xyz/v1'],
  ['fireworks', 'https://api.fireworks.ai/inference/v1'],
  ['xai', 'https://api.x.ai/v1'],
  ['gemini', 'https://generativelanguage.googleapis.com/v1beta/openai'],
  ['openaicompatible', 'http://127.0.0.1:8000/v1'],
])

/** Its usual address, for a product that is served by `kind: openai`; undefined for what is none. */
export function addressOfProduct(name: string): string | undefined {
  return products.get(name.toLowerCase().replace(/[^a-z]/g, ''))
}
