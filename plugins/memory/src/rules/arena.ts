import { DIMENSIONS } from './quantize.ts'

/** Vectors per block; a block belongs to one tenant and is contiguous. */
export const BLOCK = 128
const BLOCK_BYTES = BLOCK * DIMENSIONS
const PAGE = 65_536
/** Memory layout: the query, then the products of one block. */
const QUERY = 0
const PRODUCTS = 512
const BLOCKS = 1_024

/** Assembled scan.wat: computes the products of one vector with many, sixteen bytes a step. */
export const SCAN =
  'AGFzbQEAAAABCAFgBH9/f38AAhEBBWFyZW5hBm1lbW9yeQIAAQMCAQAHCAEEc2NhbgAACqUBAaIBAgF/A3sgAkUEQA8LA0BBACEE/QwAAAAAAAAAAAAAAAAAAAAAIQUDQCAAIARq/QAEACEGIAEgBGr9AAQAIQcgBSAGIAf9nAH9fiAGIAf9nQH9fv2uAf2uASEFIARBEGohBCAEQYADSQ0ACyADIAX9GwAgBf0bAWogBf0bAiAF/RsDamo2AgAgAUGAA2ohASADQQRqIQMgAkEBayECIAINAAsL'

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): void
}
/** The members in use; the types of Node leave WebAssembly to those of browsers. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => Memory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> }
}

type Scan = (query: number, vectors: number, count: number, products: number) => void

/**
 * A single memory for the vectors of all tenants, in blocks: a memory each would reserve gigabytes of addresses. It can only
 * grow.
 */
export class Arena {
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly #scan: Scan
  readonly #free: number[] = []
  #blocks = 0

  constructor() {
    const module = new WebAssembly.Module(Buffer.from(SCAN, 'base64'))
    const { exports } = new WebAssembly.Instance(module, { arena: { memory: this.#memory } })
    this.#scan = exports.scan as unknown as Scan
  }

  get usedBytes(): number {
    return (this.#blocks - this.#free.length) * BLOCK_BYTES
  }

  take(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    const block = this.#blocks++
    const lacking = this.#place(block + 1) - this.#memory.buffer.byteLength
    // Grows by a sixteenth more than is needed, because growing moves the existing views.
    if (lacking > 0) this.#memory.grow(Math.ceil(lacking / PAGE) + (this.#memory.buffer.byteLength >> 20))
    return block
  }

  give(block: number): void {
    this.#free.push(block)
  }

  write(block: number, row: number, vector: Int8Array): void {
    new Int8Array(this.#memory.buffer).set(vector, this.#place(block) + row * DIMENSIONS)
  }

  move(from: readonly [block: number, row: number], to: readonly [block: number, row: number]): void {
    const [start, target] = [from, to].map(([block, row]) => this.#place(block) + row * DIMENSIONS) as [number, number]
    new Int8Array(this.#memory.buffer).copyWithin(target, start, start + DIMENSIONS)
  }

  /** Each scan sets its query first, because other scans may have run between two turns. */
  query(vector: Int8Array): void {
    new Int8Array(this.#memory.buffer).set(vector, QUERY)
  }

  /** Products of the first `count` vectors of a block; valid until the next scan. */
  products(block: number, count: number): Int32Array {
    this.#scan(QUERY, this.#place(block), count, PRODUCTS)
    return new Int32Array(this.#memory.buffer, PRODUCTS, count)
  }

  /** Product of one vector of a block. */
  product(block: number, row: number): number {
    this.#scan(QUERY, this.#place(block) + row * DIMENSIONS, 1, PRODUCTS)
    return new Int32Array(this.#memory.buffer, PRODUCTS, 1)[0] as number
  }

  #place(block: number): number {
    return BLOCKS + block * BLOCK_BYTES
  }
}
