import { test } from 'node:test'
import { type Collection, defineCollection, type Infer, Type } from '@gateway/sdk'
import type { Store } from '@gateway/storage'

/** Requirements of the suite on a store: the kernel's port, and removal of expired documents on request. */
export interface SuiteStore extends Store {
  /** Removes documents that have expired by the store's clock, now. */
  sweepExpired(): Promise<unknown>
}

/** Store on fresh data, and the same data opened again after it was closed. */
export interface Subject {
  readonly store: SuiteStore
  reopen(): Promise<SuiteStore>
  dispose(): Promise<void>
}
export type OpenSubject = (options: { readonly clock: { now(): number } }) => Promise<Subject>

const Item = Type.Object({
  itemId: Type.String(),
  status: Type.Optional(Type.String()),
  n: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  owner: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  at: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  weight: Type.Optional(Type.Number()),
  flag: Type.Optional(Type.Boolean()),
  note: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  data: Type.Optional(Type.Object({})),
  /** Numbers and text in one field. */
  rank: Type.Optional(Type.Union([Type.Number(), Type.String()])),
})
export type Item = Infer<typeof Item>

/** Half of its fields are indexed, half are not: the answers must not differ because of that. */
export const items = defineCollection('suite.items', {
  schema: Item,
  key: 'itemId',
  indexes: [
    { keys: { status: 1, n: -1 } },
    { keys: { status: 1, flag: 1, at: 1 } },
    { keys: { owner: 1 }, present: 'owner' },
    { keys: { title: -1, n: 1 } },
    { keys: { n: 1 } },
  ],
})

const Named = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  place: Type.Optional(Type.String()),
  body: Type.Optional(Type.String()),
  words: Type.Optional(Type.Array(Type.String())),
  expiresAt: Type.Optional(Type.String()),
})
export type Named = Infer<typeof Named>

export const named = defineCollection('suite.named', {
  schema: Named,
  key: 'id',
  text: ['body', 'words'],
  indexes: [
    { keys: { name: 1 }, unique: true, present: 'name' },
    { keys: { code: 1 }, unique: true },
    { keys: { place: 1 }, acrossTenants: true },
    { keys: { expiresAt: 1 }, expireAfterSeconds: 60 },
  ],
})

const TextPassage = Type.Object({
  id: Type.String(),
  words: Type.String(),
  around: Type.Optional(Type.String()),
  labels: Type.Optional(Type.Array(Type.String())),
  at: Type.Optional(Type.String()),
})
export type TextPassage = Infer<typeof TextPassage>

export const passages = defineCollection('suite.passages', {
  schema: TextPassage,
  key: 'id',
  text: { prepared: { labels: 0, words: 1, around: 0.5 } },
})

/** Samples whose key is their time. */
export const samples = defineCollection('suite.samples', {
  schema: Type.Object({ at: Type.String() }),
  key: 'at',
  indexes: [{ keys: { at: 1 }, expireAfterSeconds: 60 }],
})

/** Promises that a store cannot keep, by the name of the test, with the reason. */
export type Exceptions = Readonly<Record<string, string>>
export type SuiteTest = (name: string, work: () => Promise<void> | void) => void

/** Registers a test; one that the store is excepted from is skipped, with the reason in its name. */
export function suiteTest(exceptions: Exceptions): SuiteTest {
  return (name, work) => {
    const reason = Object.hasOwn(exceptions, name) ? exceptions[name] : undefined
    if (reason === undefined) test(name, work)
    else test(`${name} (${reason})`, { skip: true }, work)
  }
}

/** Store for a whole file of tests; each test has its own tenant. */
export interface Bench {
  readonly test: SuiteTest
  readonly effort: number
  readonly store: SuiteStore
  items(tenant: string): Collection<Item>
  named(tenant: string): Collection<Named>
  passages(tenant: string): Collection<TextPassage>
  samples(tenant: string): Collection<{ at: string }>
}

export function benchOf(current: () => SuiteStore, test: SuiteTest = suiteTest({}), effort = 1): Bench {
  return {
    test,
    effort,
    get store() {
      return current()
    },
    items: (tenant) => current().collection<Item>(items, tenant),
    named: (tenant) => current().collection<Named>(named, tenant),
    passages: (tenant) => current().collection<TextPassage>(passages, tenant),
    samples: (tenant) => current().collection<{ at: string }>(samples, tenant),
  }
}
