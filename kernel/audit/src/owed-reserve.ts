import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './folder.ts'

/** Enough for the records of a thousand calls: once a record is owed, its tenant changes nothing more until it is written. */
const RESERVED_BYTES = 512 * 1024

/** Records of one completed call that are not in the trail yet. */
export interface OwedRecords {
  readonly tenantId: string
  readonly at: number
  readonly day: string
  readonly facts: readonly string[]
}

/** Records of an earlier process, with the number that releases their place. */
export interface ReservedRecords extends OwedRecords {
  readonly reserved: number
}

/**
 * A file whose space is allocated while the disk has room, for the records that a full disk keeps out of the trail: a process that
 * is killed before the disk has room again leaves them here, and the next one writes them. Each record is a line of JSON; a zero
 * byte ends the used part. A reserve that is full or missing refuses, and the record is then kept in memory alone.
 */
export class OwedReserve {
  readonly #path: string
  readonly #lines = new Map<number, string>()
  #fd: number | undefined
  #isAllocated = false
  #used = 0
  #last = 0

  constructor(path: string) {
    this.#path = path
  }

  /** Returns the records that an earlier process owed. */
  load(): readonly ReservedRecords[] {
    const text = readIfThere(this.#path)
    const lines = text.slice(0, Math.max(0, text.indexOf('\0'))).split('\n')
    // A kill during the write leaves a last line without its end.
    const found = lines.slice(0, -1).flatMap((line) => {
      const records = parse(line)
      if (records === undefined) return []
      this.#lines.set(++this.#last, `${line}\n`)
      return [{ ...records, reserved: this.#last }]
    })
    this.#used = Buffer.byteLength([...this.#lines.values()].join(''))
    return found
  }

  /** Allocates the space; a failure is not a fault of the caller, and the next sync tries again. */
  async allocate(): Promise<void> {
    if (this.#isAllocated) return
    let file: FileHandle | undefined
    try {
      file = await open(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600)
      const { size } = await file.stat()
      if (size < RESERVED_BYTES) {
        await file.write(Buffer.alloc(RESERVED_BYTES - size), 0, undefined, size)
        await file.sync()
        await syncFolder(dirname(this.#path))
      }
      this.#isAllocated = (await file.stat()).size >= RESERVED_BYTES
    } catch {
      this.#isAllocated = false
    } finally {
      await file?.close()
    }
  }

  /** Returns the number that releases the records, or undefined if they do not fit. */
  keep(records: OwedRecords): number | undefined {
    const { tenantId, at, day, facts } = records
    const line = `${JSON.stringify({ tenantId, at, day, facts })}\n`
    const bytes = Buffer.from(`${line}\0`)
    if (this.#used + bytes.length > RESERVED_BYTES || !this.#write(bytes, this.#used)) return undefined
    this.#used += bytes.length - 1
    this.#lines.set(++this.#last, line)
    return this.#last
  }

  /** Frees the places of records that are in the trail now, or whose tenant has ended. */
  release(numbers: readonly number[]): void {
    const released = numbers.filter((number) => this.#lines.delete(number))
    if (released.length === 0) return
    const rest = Buffer.from([...this.#lines.values()].join(''))
    // Zeros to the former end: nothing of an erased tenant may stay.
    if (!this.#write(Buffer.concat([rest, Buffer.alloc(this.#used - rest.length)]), 0)) return
    this.#used = rest.length
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  /** Blocks for microseconds, in the page cache; it is called only when the trail cannot be written. */
  #write(bytes: Buffer, at: number): boolean {
    try {
      this.#fd ??= openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600)
      return writeSync(this.#fd, bytes, 0, bytes.length, at) === bytes.length
    } catch {
      return false
    }
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function parse(line: string): OwedRecords | undefined {
  try {
    return JSON.parse(line) as OwedRecords
  } catch {
    return undefined
  }
}
