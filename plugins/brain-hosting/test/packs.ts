import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import type { TestGateway } from './support.ts'

/** Zeros come in steps: a step is compressed once and repeated, so that hundreds of megabytes take no time to make. */
const STEP = 16 * 1_024 * 1_024
const [BLOB, OFFSET_DELTA] = [3, 6]

/** Builds a pack with one blob of zeros and deltas that each make another blob of that size from it. */
export function packOfZeros(megabytes: number, deltas: number): Buffer {
  const steps = megabytes / 16
  const base = Buffer.concat([entryHead(BLOB, steps * STEP), zeros(steps)])
  const head = Buffer.from('PACK\0\0\0\u0002\0\0\0\0')
  head.writeUInt32BE(1 + deltas, 8)
  const parts = [head, base]
  for (let n = 0; n < deltas; n++) {
    const at = parts.reduce((sum, { length }) => sum + length, 0)
    const delta = copyAll(steps, n)
    parts.push(Buffer.concat([entryHead(OFFSET_DELTA, delta.length), backwards(at - head.length), deflateSync(delta)]))
  }
  const all = Buffer.concat(parts)
  return Buffer.concat([all, createHash('sha1').update(all).digest()])
}

function zeros(steps: number): Buffer {
  const step = deflateRawSync(Buffer.alloc(STEP), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const checksum = Buffer.from([0, 0, 0, 1])
  checksum.writeUInt16BE((steps * STEP) % 65_521)
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...Array<Buffer>(steps).fill(step), Buffer.from([3, 0]), checksum])
}

/** Encodes type and size of an entry: four bits of the size, then seven per byte. */
function entryHead(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) as number) | 128
    bytes.push(left & 127)
  }
  return Buffer.from(bytes)
}

function varint(size: number): Buffer {
  const bytes = []
  let left = size
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left & 127) | 128)
  return Buffer.from([...bytes, left])
}

/** Encodes the distance back to the base of a delta. */
function backwards(distance: number): Buffer {
  const bytes = [distance & 127]
  for (let left = Math.floor(distance / 128); left > 0; left = Math.floor(left / 128)) bytes.unshift((--left & 127) | 128)
  return Buffer.from(bytes)
}

/**
 * Copies all of the base, a step in two pieces, and adds one letter. 0xff: four bytes of offset and three of length follow;
 * 0x90 1: one byte from the beginning.
 */
function copyAll(steps: number, n: number): Buffer {
  const pieces = Array.from({ length: steps }, (_, step) => {
    const offset = Buffer.alloc(4)
    offset.writeUInt32LE(step * STEP)
    return Buffer.concat([Buffer.from([0xff]), offset, Buffer.from([0xff, 0xff, 0xff, 0x90, 1])])
  })
  const size = steps * STEP
  return Buffer.concat([varint(size), varint(size + 1), ...pieces, Buffer.from([1, 65 + n])])
}

const ZERO = '0'.repeat(40)
export const pktLine = (line: string): string => `${(Buffer.byteLength(line) + 4).toString(16).padStart(4, '0')}${line}`

/** The commands of a push that creates refs, in git's framing. */
export const commands = (refs: readonly string[], oid: string): string =>
  `${refs.map((ref, n) => pktLine(`${ZERO} ${oid} ${ref}${n === 0 ? '\0 report-status side-band-64k' : ''}\n`)).join('')}0000`

/** Opens a push as raw bytes. `answer` is everything the gateway sends, up to the end of the connection. */
export function openPush(gateway: TestGateway, token: string, options: { tenantId?: string; encoding?: string } = {}) {
  const { port } = new URL(gateway.url)
  const push = request({
    port,
    method: 'POST',
    path: `/git/${options.tenantId ?? 'acme'}/brain.git/git-receive-pack`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-git-receive-pack-request',
      ...(options.encoding !== undefined && { 'content-encoding': options.encoding }),
    },
  })
  const answer = new Promise<string>((resolve) => {
    push.once('error', () => resolve(''))
    push.once('response', (response) => resolve(text(response).catch(() => '')))
  })
  return { push, answer }
}
