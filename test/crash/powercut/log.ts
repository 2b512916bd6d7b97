/** The log of preload.c: the operations of one process on the files of a folder, in order. */
export type LogRecord =
  | { readonly kind: 'open' | 'create'; readonly file: bigint; readonly path: string }
  | { readonly kind: 'write'; readonly file: bigint; readonly offset: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly file: bigint; readonly length: number }
  | { readonly kind: 'sync-begin'; readonly file: bigint }
  /** `begin` is the position in the log of the sync’s beginning. */
  | { readonly kind: 'sync-end'; readonly file: bigint; readonly begin: number }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'unlink' | 'mkdir'; readonly path: string }
  | { readonly kind: 'ack'; readonly text: string }

const HEADER_BYTES = 32

export function readLog(bytes: Buffer): readonly LogRecord[] {
  const records: LogRecord[] = []
  for (let at = 0; at < bytes.length; ) {
    const kind = bytes.readUInt32LE(at)
    const pathEnd = at + HEADER_BYTES + bytes.readUInt32LE(at + 4)
    const file = bytes.readBigUInt64LE(at + 8)
    const offset = Number(bytes.readBigUInt64LE(at + 16))
    const path = bytes.toString('utf8', at + HEADER_BYTES, pathEnd)
    at = pathEnd + Number(bytes.readBigUInt64LE(at + 24))
    records.push(record(kind, file, offset, path, bytes.subarray(pathEnd, at)))
  }
  return records
}

function record(kind: number, file: bigint, offset: number, path: string, data: Buffer): LogRecord {
  switch (kind) {
    case 1:
      return { kind: 'open', file, path }
    case 2:
      return { kind: 'create', file, path }
    case 3:
      return { kind: 'write', file, offset, data }
    case 4:
      return { kind: 'truncate', file, length: offset }
    case 5:
      return { kind: 'sync-begin', file }
    case 6:
      return { kind: 'sync-end', file, begin: offset }
    case 7:
      return { kind: 'rename', path, to: data.toString() }
    case 8:
      return { kind: 'unlink', path }
    case 9:
      return { kind: 'mkdir', path }
    case 10:
      return { kind: 'ack', text: data.toString() }
    default:
      throw new Error(`kind ${kind} in the log: preload.c and log.ts disagree`)
  }
}
