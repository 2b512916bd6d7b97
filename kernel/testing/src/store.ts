/**
 * What not every store that tests run on can do. `scale`: hundreds of documents or calls in a few seconds. `any hash key`: start on
 * the same data with another one, which a database of several nodes refuses.
 */
export type StoreAbility = 'transactions' | 'scale' | 'any hash key'

/** Which store `startTestGateway` uses, as `npm test` was told by STORE. */
export interface StoreUnderTest {
  readonly kind: 'sqlite' | 'mongodb'
  readonly product: 'SQLite' | 'MongoDB' | 'FerretDB'
  /** The server; each test gateway has a database of its own there. */
  readonly url?: string
}

/** The store that the environment names; throws when it names one without a server. */
export function storeUnderTest(env: Readonly<Record<string, string | undefined>> = process.env): StoreUnderTest {
  if (env.STORE !== 'mongodb') return { kind: 'sqlite', product: 'SQLite' }
  if (env.TEST_MONGODB_URL) return { kind: 'mongodb', product: 'MongoDB', url: env.TEST_MONGODB_URL }
  if (env.TEST_FERRETDB_URL) return { kind: 'mongodb', product: 'FerretDB', url: env.TEST_FERRETDB_URL }
  throw new Error('STORE=mongodb needs a server: run the tests with `npm test`, which starts one, or set TEST_MONGODB_URL.')
}

const LACKING: Readonly<Record<StoreUnderTest['product'], Readonly<Partial<Record<StoreAbility, string>>>>> = {
  SQLite: {},
  MongoDB: { 'any hash key': 'has one hash key' },
  FerretDB: {
    'any hash key': 'has one hash key',
    transactions: 'has no transactions',
    scale: 'is too slow for so many',
  },
}

/**
 * The options of a test that needs these of its store: `test('…', needs('transactions'), async () => …)`. On a store
 * without them the test is skipped, and the report says why.
 */
export function needs(...abilities: readonly StoreAbility[]): { readonly skip: string | false } {
  const { product } = storeUnderTest()
  const reasons = abilities.flatMap((ability) => LACKING[product][ability] ?? [])
  return { skip: reasons.length > 0 && `${product} ${reasons.join(' and ')}` }
}
