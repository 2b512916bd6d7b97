import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { LogSync } from '../../../kernel/storage-sqlite/src/log-sync.ts'
import { type LedgerKind, openLedger } from './ledger.ts'
import { booksOf, changeAt, textOf, WRITERS } from './pages.ts'

// Runs in its own process, under preload.c: `ledger-workload.ts <folder> <ledger> <steps>`.
// It opens the ledger twice, so that a clean close and a reopening are among the moments of a power cut.
const [folder, kind, steps] = process.argv.slice(2)
if (!kind || !folder || !steps) throw new Error('usage: ledger-workload.ts <folder> <ledger> <steps>')
const half = Math.ceil(Number(steps) / 2)
if (kind === 'store-without-sync') LogSync.prototype.sync = () => Promise.resolve()
const acks = openSync(join(folder, '.acks'), 'a')

await session(1, half)
await session(half + 1, Number(steps))

async function session(first: number, last: number): Promise<void> {
  const ledger = await openLedger(kind as LedgerKind, folder as string)
  await Promise.all(WRITERS.map((writer) => write(writer)))
  await ledger.close()

  async function write(key: string): Promise<void> {
    for (let step = first; step <= last; step++) {
      await ledger.turn(booksOf(key), { key, step, text: textOf(key, step) }, changeAt(step))
      writeSync(acks, JSON.stringify({ key, step }))
      if (key === 'a' && step % 15 === 0) ledger.checkpoint()
    }
  }
}
