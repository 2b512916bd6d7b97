import { defineService, provideProcess } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { Tally } from '../rules/tally.ts'

/** Number of tenants with counts in memory; calls of further ones are counted from the next flush on. */
const MAX_TENANTS = 10_000
/** Number of values of a dimension in memory; the store distinguishes fewer. */
const MAX_VALUES = 1_000
/** Capacity of the cache of known values, for active tenants. */
const MAX_KNOWN = 5_000

export class Tallies {
  #open = new Map<string, Tally>()
  /** Tallies of past hours. */
  #finished: (readonly [tenantId: string, tally: Tally])[] = []
  /** The values that a tenant has in a dimension on a day, by `valuesKey`. */
  readonly known = new BoundedMap<string, Set<string>>(MAX_KNOWN)

  /** The tally for a call of that hour; undefined if there are too many. */
  of(tenantId: string, hour: number): Tally | undefined {
    const open = this.#open.get(tenantId)
    if (open?.hour === hour) return open
    if (open) this.#finished.push([tenantId, open])
    else if (this.#open.size >= MAX_TENANTS) return undefined
    const tally = new Tally(hour, MAX_VALUES)
    this.#open.set(tenantId, tally)
    return tally
  }

  /** Takes all pending counts, for the caller to store. */
  take(): readonly (readonly [tenantId: string, tally: Tally])[] {
    const taken = [...this.#finished, ...this.#open]
    this.#finished = []
    this.#open = new Map()
    return taken
  }

  forget(tenantId: string): void {
    this.#open.delete(tenantId)
    this.#finished = this.#finished.filter(([whose]) => whose !== tenantId)
    for (const key of this.known.keys()) if (key.startsWith(`${tenantId} `)) this.known.delete(key)
  }
}

export const valuesKey = (tenantId: string, day: string, dimension: string): string => `${tenantId} ${day} ${dimension}`

export const tallies = defineService<Tallies>('usage.tallies', 'process')

export const talliesProvider = provideProcess(tallies, { create: () => new Tallies() })
