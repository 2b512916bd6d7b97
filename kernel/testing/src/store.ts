/**
 * Abilities that not every tested store has. `scale`: hundreds of documents or calls in a few seconds. `any hash key`: start on
 * the same data with another one, which a database of several nodes refuses.
 */
export type StoreAbility = 'scale' | 'any hash key'

/** Store that `startTestGateway` uses, chosen by STORE for `npm test`. */
export interface StoreUnderTest {
  readonly kind: 'sqlite' | 'mongodb'
  /** SecantusDB is the server that `npm test` starts where it is given none. */
  readonly product: 'SQLite' | 'MongoDB' | 'SecantusDB'
  /** URL of the server; each test gateway has its own database there. */
  readonly url?: string
}

/** Returns the store that the environment names; throws if it names one without a server. */
export function storeUnderTest(env: Readonly<Record<string, string | undefined>> = process.env): StoreUnderTest {
  if (env.STORE !== 'mongodb') return { kind: 'sqlite', product: 'SQLite' }
  const { TEST_MONGODB_URL: url, TEST_MONGODB_PRODUCT: product } = env
  if (url) return { kind: 'mongodb', product: product === 'SecantusDB' ? product : 'MongoDB', url }
  throw new Error('STORE=mongodb needs a server: run the tests with `npm test`, which starts one, or set TEST_MONGODB_URL.')
}

const LACKING: Readonly<Record<StoreUnderTest['product'], Readonly<Partial<Record<StoreAbility, string>>>>> = {
  SQLite: {},
  MongoDB: { 'any hash key': 'has one hash key' },
  SecantusDB: { 'any hash key': 'has one hash key', scale: 'is too slow for so many' },
}

/**
 * Options of a test that needs these abilities of its store: `test('…', needs('scale'), async () => …)`. On a store
 * without them the test is skipped, and the report says why.
 */
export function needs(...abilities: readonly StoreAbility[]): { readonly skip: string | false } {
  const { product } = storeUnderTest()
  const reasons = abilities.flatMap((ability) => LACKING[product][ability] ?? [])
  return { skip: reasons.length > 0 && `${product} ${reasons.join(' and ')}` }
}
