import { damage } from './damage.ts'
import { BOOKS, type LedgerKind, openLedger } from './ledger.ts'
import { booksOf, type Page, pageAt, WRITERS } from './pages.ts'
import type { Inspect } from './replay.ts'

/** Opens the folder as the next start would, and checks it against the promises. */
export function inspectLedger(kind: LedgerKind): Inspect {
  return async (folder, acknowledged) => {
    const steps = new Map(acknowledged.map((text) => Object.values(JSON.parse(text) as { key: string; step: number }) as [string, number]))
    try {
      const ledger = await openLedger(kind, folder)
      const books = new Map<string, ReadonlyMap<string, Page>>()
      for (const book of BOOKS) books.set(book, new Map((await ledger.readAll(book)).map((page) => [page.key, page])))
      await ledger.close()
      return [...WRITERS.flatMap((writer) => brokenPromises(writer, steps.get(writer) ?? 0, books)), ...damage(folder)]
    } catch (error) {
      return [`cannot be read: ${String(error)}`]
    }
  }
}

/** Each page shows its last acknowledged step or the one in flight; a pair shows the same in both books. */
function brokenPromises(writer: string, step: number, books: ReadonlyMap<string, ReadonlyMap<string, Page>>): string[] {
  const found = booksOf(writer).map((book) => shown(books.get(book)?.get(writer)))
  const allowed = [pageAt(writer, step), pageAt(writer, step + 1)].map(shown)
  const faults = found
    .filter((page) => !allowed.includes(page))
    .map((page) => `${writer}: step ${step} was acknowledged, found ${page.slice(0, 40)}`)
  return new Set(found).size > 1 ? [...faults, `${writer}: half a transaction`] : faults
}

const shown = (page: Page | undefined): string => (page ? `${page.key} ${page.step} ${page.text}` : 'no page')
