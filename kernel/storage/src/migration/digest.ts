import { createHash } from 'node:crypto'
import type { Row } from './rows.ts'

/** All spellings of the same value give this one text: members sorted by name. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

/** The number of documents and the sum of their hashes, independent of their order. */
export class Digest {
  documents = 0
  #sum = 0n

  add({ tenant, doc }: Row): void {
    this.documents++
    const hash = createHash('sha256').update(JSON.stringify(tenant)).update(canonical(doc)).digest('hex')
    this.#sum = (this.#sum + BigInt(`0x${hash}`)) % MODULUS
  }

  toString(): string {
    return this.#sum.toString(16).padStart(64, '0')
  }
}

const MODULUS = 1n << 256n
