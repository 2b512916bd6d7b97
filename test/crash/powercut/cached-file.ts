import { type Random, upTo } from './random.ts'

const SECTOR_BYTES = 512

interface Change {
  /** Position in the log. */
  readonly at: number
  readonly offset: number
  readonly data: Buffer
  /** Length of the file after it. */
  readonly length: number
}

/** A file's content as of its last sync, and every change since. */
export class CachedFile {
  readonly #durable = new Bytes()
  #changes: Change[] = []
  #length = 0

  write(at: number, offset: number, data: Buffer): void {
    this.#length = Math.max(this.#length, offset + data.length)
    this.#changes.push({ at, offset, data, length: this.#length })
  }

  /** A truncation zeroes the part it cuts off: a later, longer length must not bring old bytes back. */
  truncate(at: number, length: number): void {
    const cutOff = Buffer.alloc(Math.max(this.#length - length, 0))
    this.#length = length
    this.#changes.push({ at, offset: length, data: cutOff, length })
  }

  /** Changes before this position in the log are on the disk. */
  sync(before: number): void {
    const later = this.#changes.findIndex(({ at }) => at >= before)
    const kept = this.#changes.splice(0, later < 0 ? this.#changes.length : later)
    this.#durable.apply(kept, kept.at(-1)?.length ?? this.#durable.length)
  }

  asWritten(): Buffer {
    return this.#durable.copyAfter(this.#changes, this.#length)
  }

  afterPowerCut(random: Random): Buffer {
    const luck = upTo(random, 4)
    if (luck === 0) return this.#durable.copyAfter([], this.#durable.length)
    if (luck === 1) return this.asWritten()
    const lengths = [this.#durable.length, ...this.#changes.map(({ length }) => length)]
    return this.#durable.copyAfter(this.#survivors(random), lengths[upTo(random, lengths.length)] ?? 0)
  }

  /** Returns the changes cut at sector edges, and of each sector's changes a random first part. */
  #survivors(random: Random): readonly Piece[] {
    const bySector = new Map<number, Piece[]>()
    for (const piece of this.#changes.flatMap(cutAtSectors)) {
      const sector = Math.floor(piece.offset / SECTOR_BYTES)
      const pieces = bySector.get(sector)
      if (pieces) pieces.push(piece)
      else bySector.set(sector, [piece])
    }
    return [...bySector.values()].flatMap((pieces) => pieces.slice(0, upTo(random, pieces.length + 1)))
  }
}

type Piece = Pick<Change, 'offset' | 'data'>

function cutAtSectors({ offset, data }: Piece): Piece[] {
  const pieces: Piece[] = []
  for (let from = 0; from < data.length; ) {
    const to = Math.min(from + SECTOR_BYTES - ((offset + from) % SECTOR_BYTES), data.length)
    pieces.push({ offset: offset + from, data: data.subarray(from, to) })
    from = to
  }
  return pieces
}

/** Bytes that grow in place. Bytes beyond `length` are zero. */
class Bytes {
  length = 0
  #room = Buffer.alloc(65_536)

  apply(pieces: readonly Piece[], length: number): void {
    const end = endOf(pieces, length)
    if (end > this.#room.length) this.#room = Buffer.concat([this.#room], end * 2)
    for (const { offset, data } of pieces) data.copy(this.#room, offset)
    this.length = length
  }

  copyAfter(pieces: readonly Piece[], length: number): Buffer {
    const copy = Buffer.alloc(endOf(pieces, Math.max(length, this.length)))
    this.#room.copy(copy, 0, 0, this.length)
    for (const { offset, data } of pieces) data.copy(copy, offset)
    return copy.subarray(0, length)
  }
}

const endOf = (pieces: readonly Piece[], least: number): number =>
  pieces.reduce((most, { offset, data }) => Math.max(most, offset + data.length), least)
