import { after, before, describe } from 'node:test'
import { testClock } from './clock.ts'
import { aggregateTests } from './storage/aggregates.ts'
import { documentTests } from './storage/documents.ts'
import { isolationTests } from './storage/isolation.ts'
import { lifecycleTests } from './storage/lifecycle.ts'
import { pageTests } from './storage/pages.ts'
import { preparedTests } from './storage/prepared.ts'
import { propertyTests } from './storage/properties.ts'
import { searchTests } from './storage/search.ts'
import {
  benchOf,
  type Exceptions,
  items,
  named,
  type OpenSubject,
  passages,
  type Subject,
  type SuiteStore,
  samples,
  suiteTest,
} from './storage/subject.ts'
import { transactionTests } from './storage/transactions.ts'

export type { OpenSubject, Subject, SuiteStore }

interface SuiteOptions {
  /**
   * Promises the store cannot keep, by the name of the test, with the reason: the test is skipped, with the reason in its name.
   */
  readonly exceptions?: Exceptions
  /** Share of the random runs to make, for a slow server. Default 1. */
  readonly effort?: number
}

/**
 * Tests the promises of every store: an adapter's own test file is one call. `open` gives a store on fresh data that takes its
 * time from `clock`; the suite prepares its own collections. Needs `fast-check` installed.
 */
export function storageSuite(name: string, open: OpenSubject, { exceptions = {}, effort = 1 }: SuiteOptions = {}): void {
  const test = suiteTest(exceptions)
  describe(name, () => {
    let subject: Subject
    const clock = testClock()
    before(async () => {
      subject = await open({ clock })
      await subject.store.prepare([items, named, passages, samples])
    })
    after(() => subject.dispose())
    const bench = benchOf(() => subject.store, test, effort)
    describe('documents', () => documentTests(bench))
    describe('pages', () => pageTests(bench))
    describe('aggregates', () => aggregateTests(bench))
    describe('text search', () => searchTests(bench))
    describe('prepared text', () => preparedTests(bench))
    describe('transactions', () => transactionTests(bench))
    describe('tenants', () => isolationTests(bench))
    describe('random documents, filters, sorts and updates', () => propertyTests(bench))
  })
  describe(`${name}: opening and closing`, () => lifecycleTests(open, test))
}
