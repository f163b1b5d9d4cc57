import { Buffer } from 'node:buffer'

/** What a key of a model file may hold. */
export type GgufValue =
  | { readonly kind: 'integer' | 'float'; readonly value: number }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'texts'; readonly value: readonly string[] }
  | { readonly kind: 'integers' | 'floats'; readonly value: readonly number[] }

export interface Tensor {
  readonly name: string
  /** Rows last, as in memory: the first is how long a row is. */
  readonly shape: readonly number[]
  readonly values: Float32Array
}

const alignment = 32
const types = { integer: 4, float: 6, truth: 7, text: 8, texts: 9, integers: 9, floats: 9 }
const int32 = 5
const float32 = 6
const text = 8

/** A GGUF file, version 3, all tensors in 32-bit floats. */
export function printGguf(keys: Readonly<Record<string, GgufValue>>, tensors: readonly Tensor[]): Buffer {
  const parts: Buffer[] = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(Object.keys(keys).length)]
  for (const [key, value] of Object.entries(keys)) parts.push(string(key), u32(types[value.kind]), ...print(value))
  let offset = 0
  for (const { name, shape, values } of tensors) {
    parts.push(string(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset))
    offset = aligned(offset + values.byteLength)
  }
  pad(parts)
  for (const { values } of tensors) {
    parts.push(Buffer.from(values.buffer, values.byteOffset, values.byteLength))
    pad(parts)
  }
  return Buffer.concat(parts)
}

function print(value: GgufValue): Buffer[] {
  switch (value.kind) {
    case 'integer':
      return [u32(value.value)]
    case 'float':
      return [f32(value.value)]
    case 'truth':
      return [Buffer.from([value.value ? 1 : 0])]
    case 'text':
      return [string(value.value)]
    case 'texts':
      return [u32(text), u64(value.value.length), ...value.value.map(string)]
    case 'integers':
      return [u32(int32), u64(value.value.length), ...value.value.map(u32)]
    case 'floats':
      return [u32(float32), u64(value.value.length), ...value.value.map(f32)]
  }
}

function pad(parts: Buffer[]): void {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  parts.push(Buffer.alloc(aligned(length) - length))
}

function aligned(length: number): number {
  return Math.ceil(length / alignment) * alignment
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

function string(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}
