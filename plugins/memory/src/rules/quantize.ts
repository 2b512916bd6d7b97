export const DIMENSIONS = 384

/** Converts a vector to signed bytes, its greatest part at 127: the loss has no visible effect on results. */
export function quantize(vector: ArrayLike<number>): Int8Array {
  let greatest = 0
  for (let i = 0; i < vector.length; i++) greatest = Math.max(greatest, Math.abs(vector[i] as number))
  const scale = greatest === 0 ? 0 : 127 / greatest
  return Int8Array.from(vector, (value) => Math.round(value * scale))
}

/** Returns the divisor for a product of two such vectors. */
export function lengthOf(bytes: Int8Array): number {
  let sum = 0
  for (const byte of bytes) sum += byte * byte
  return Math.sqrt(sum) || 1
}

export function packVectors(vectors: readonly Int8Array[]): string {
  return Buffer.concat(vectors.map((bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))).toString('base64')
}

export function unpackVectors(packed: string): readonly Int8Array[] {
  const bytes = Buffer.from(packed, 'base64')
  const count = Math.floor(bytes.length / DIMENSIONS)
  return Array.from({ length: count }, (_, i) => new Int8Array(bytes.buffer, bytes.byteOffset + i * DIMENSIONS, DIMENSIONS))
}
