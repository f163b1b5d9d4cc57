import { type Flavour, plainTraits } from './flavour.ts'
import { isOwnedBy, textAt } from './read.ts'

/** Servers that are known by name and taken as any other: their list of models says whose it is. */
function definePlain(name: string, title: string, owner: string, fingerprints: Flavour['fingerprints'] = []): Flavour {
  const owned = {
    path: '/models',
    inside: true,
    fits: (answer: Parameters<typeof isOwnedBy>[0]) => isOwnedBy(answer, owner),
  }
  return { name, title, fingerprints: [owned, ...fingerprints], traits: plainTraits }
}

/** It answers Ollama's questions as well. */
export const koboldcpp = definePlain('koboldcpp', 'KoboldCpp', 'koboldcpp', [
  { path: '/api/extra/version', fits: (answer) => textAt(answer, 'result') === 'KoboldCpp' },
])
export const tabbyapi = definePlain('tabbyapi', 'TabbyAPI', 'tabbyAPI')
export const llamaSwap = definePlain('llama-swap', 'llama-swap', 'llama-swap')
export const dockerModelRunner = definePlain('docker', 'Docker Model Runner', 'docker')
