/** Texts to be told as vectors. */
export interface EmbeddingRequest {
  readonly model: string
  /** Each a text, or the numbers of its tokens. */
  readonly inputs: readonly (string | readonly number[])[]
  /** How long the vectors are to be, where the model can be asked. */
  readonly dimensions?: number
}

export interface Embeddings {
  /** One for each input, in their order. */
  readonly vectors: readonly (readonly number[])[]
  readonly promptTokens?: number
}
