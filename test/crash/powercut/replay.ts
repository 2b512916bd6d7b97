import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { damage } from './damage.ts'
import { Disk, type Image } from './disk.ts'
import { BOOKS, type LedgerKind, openLedger } from './ledger.ts'
import type { LogRecord } from './log.ts'
import { booksOf, type Page, pageAt, WRITERS } from './pages.ts'
import { type Random, upTo } from './random.ts'

/** What was found wrong after one power cut; empty when every promise was kept. */
export interface CutReport {
  readonly at: number
  readonly faults: readonly string[]
}

/** Cut the power at `count` random moments of a recording, rebuild the folder as it may then be, and look. */
export async function cutPower(kind: LedgerKind, records: readonly LogRecord[], count: number, random: Random, scratch: string): Promise<readonly CutReport[]> {
  const moments = Array.from({ length: count }, () => upTo(random, records.length + 1)).sort((a, b) => a - b)
  const disk = new Disk()
  const promised = new Map<string, number>()
  const reports: CutReport[] = []
  let applied = 0
  for (const at of moments) {
    for (const record of records.slice(applied, at)) {
      disk.apply(record)
      if (record.kind === 'ack') note(promised, record.text)
    }
    applied = at
    const folder = join(scratch, 'after')
    build(disk.afterPowerCut(random), folder)
    reports.push({ at, faults: await inspect(kind, folder, promised) })
    rmSync(folder, { recursive: true })
  }
  return reports
}

function note(promised: Map<string, number>, text: string): void {
  const { key, step } = JSON.parse(text) as Page
  promised.set(key, step)
}

function build({ folders, files }: Image, folder: string): void {
  mkdirSync(folder)
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true })
  for (const [path, content] of files) writeFileSync(join(folder, path), content)
}

/** Open the folder as the next start would, and hold it against the promises. */
async function inspect(kind: LedgerKind, folder: string, promised: ReadonlyMap<string, number>): Promise<readonly string[]> {
  try {
    const ledger = await openLedger(kind, folder)
    const books = new Map<string, ReadonlyMap<string, Page>>()
    for (const book of BOOKS) books.set(book, new Map((await ledger.readAll(book)).map((page) => [page.key, page])))
    await ledger.close()
    return [...WRITERS.flatMap((writer) => brokenPromises(writer, promised.get(writer) ?? 0, books)), ...damage(folder)]
  } catch (error) {
    return [`cannot be read: ${String(error)}`]
  }
}

/** Each page shows its last acknowledged step or the one in flight; a pair shows the same in both books. */
function brokenPromises(writer: string, step: number, books: ReadonlyMap<string, ReadonlyMap<string, Page>>): string[] {
  const found = booksOf(writer).map((book) => shown(books.get(book)?.get(writer)))
  const allowed = [pageAt(writer, step), pageAt(writer, step + 1)].map(shown)
  const faults = found.filter((page) => !allowed.includes(page)).map((page) => `${writer}: step ${step} was acknowledged, found ${page.slice(0, 40)}`)
  return new Set(found).size > 1 ? [...faults, `${writer}: half a transaction`] : faults
}

const shown = (page: Page | undefined): string => (page ? `${page.key} ${page.step} ${page.text}` : 'no page')
