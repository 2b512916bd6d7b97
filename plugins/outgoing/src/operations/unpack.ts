import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

export const ACCEPTED = 'gzip, deflate, br'
const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Failure of the unpacking itself; a failure of its input is thrown unchanged. */
export class NotUnpacked extends Error {
  override readonly name = 'NotUnpacked'
}

/** Unpacker of a `content-encoding`; undefined for an unknown one, or several. */
export const unpackerOf = (encoding: string): (() => Transform) | undefined => UNPACKERS.get(encoding.toLowerCase())

/** Unpacks the parts as they arrive: a small input that unpacks to much is read no further than the reader goes. */
export async function* unpacked(parts: AsyncGenerator<Buffer, void>, open: () => Transform): AsyncGenerator<Buffer, void, undefined> {
  let broken: { readonly error: unknown } | undefined
  async function* watched(): AsyncGenerator<Buffer, void> {
    try {
      yield* parts
    } catch (error) {
      broken = { error }
      throw error
    }
  }
  const unpacker = pipeline(Readable.from(watched(), { objectMode: false }), open(), () => {})
  try {
    for await (const part of unpacker) yield part as Buffer
  } catch (cause) {
    if (broken) throw broken.error
    throw new NotUnpacked('the answer could not be unpacked', { cause })
  }
}
