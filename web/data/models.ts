import { toError } from './api.ts'

export interface Model {
  readonly id: string
}

/** A path of the API that clients use, beside the inspector. */
function doorUrl(path: string): URL {
  return new URL(`../v1/${path}`, document.baseURI)
}

/** The models there are to ask for. */
export async function readModels(headers: Readonly<Record<string, string>> = {}): Promise<readonly Model[]> {
  const response = await fetch(doorUrl('models'), { headers })
  if (!response.ok) throw await toError(response)
  const { data } = (await response.json()) as { readonly data: readonly Model[] }
  return data
}
