import type { Price } from './usage.ts'

export interface SourcedPrice extends Price {
  /** `settings`, or the address of the page that the table was read from. */
  readonly source: string
  /** Day on which the table was read; absent for a price of the settings. */
  readonly asOf?: string
}

const FIELDS = ['inputPerMTok', 'outputPerMTok', 'cacheReadPerMTok', 'cacheWritePerMTok', 'cacheWrite1hPerMTok'] as const
const REQUIRED = FIELDS.slice(0, 2)
const MAX_MODELS = 10_000
/** Suffixes of versions that cost what the model costs: a day, `latest`. */
const VERSION = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/

export class PriceTable {
  readonly #prices = new Map<string, SourcedPrice>()

  /** Throws an error that names the place in the file. */
  constructor(file: unknown) {
    for (const [at, vendor] of list(member(file, 'vendors'), 'vendors').entries()) this.#add(vendor, `vendors[${at}]`)
  }

  /** The price of a model, by its name, without the name of a vendor before it, and without a version after it. */
  of(model: string): SourcedPrice | undefined {
    const bare = model.slice(model.lastIndexOf('/') + 1)
    const names = [model, bare, bare.replace(VERSION, '')]
    return names.map((name) => this.#prices.get(name)).find((price) => price !== undefined)
  }

  #add(vendor: unknown, at: string): void {
    const [source, asOf] = [text(member(vendor, 'source'), `${at}.source`), text(member(vendor, 'asOf'), `${at}.asOf`)]
    if (!/^\d{4}-\d{2}-\d{2}$/.test(asOf)) fault(`${at}.asOf`, 'a day as YYYY-MM-DD', asOf)
    const models = object(member(vendor, 'models'), `${at}.models`)
    for (const [model, price] of Object.entries(models)) {
      const where = `${at}.models[${JSON.stringify(model.slice(0, 100))}]`
      this.#prices.set(model, { ...readPrice(price, where), source, asOf })
      if (this.#prices.size > MAX_MODELS) fault(`${at}.models`, `at most ${MAX_MODELS} models`, 'more')
    }
  }
}

function readPrice(given: unknown, at: string): Price {
  const own = readFields(given, at)
  const above = member(given, 'longPrompts')
  if (above === undefined) return own
  const where = `${at}.longPrompts`
  return { ...own, longPrompts: { ...readFields(above, where), overTokens: amount(member(above, 'overTokens'), `${where}.overTokens`) } }
}

function readFields(given: unknown, at: string) {
  const price = object(given, at)
  const fields = FIELDS.flatMap((name) =>
    price[name] === undefined && !REQUIRED.includes(name) ? [] : [[name, amount(price[name], `${at}.${name}`)] as const],
  )
  return Object.fromEntries(fields) as unknown as Price
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined

function fault(at: string, expected: string, got: unknown): never {
  throw new Error(`${at} must be ${expected}; got ${JSON.stringify(got)?.slice(0, 100)}`)
}
const list = (value: unknown, at: string): readonly unknown[] => (Array.isArray(value) ? value : fault(at, 'a list', value))
const text = (value: unknown, at: string): string => (typeof value === 'string' ? value : fault(at, 'a text', value))
const object = (value: unknown, at: string): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : fault(at, 'an object', value)
const amount = (value: unknown, at: string): number =>
  typeof value === 'number' && value >= 0 && value <= 1_000_000 ? value : fault(at, 'a number from 0 to 1000000', value)
