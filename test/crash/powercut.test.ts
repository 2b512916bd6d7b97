import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Disk } from './powercut/disk.ts'
import type { LedgerKind } from './powercut/ledger.ts'
import { seeded } from './powercut/random.ts'
import { cannotRecord, record, type Recording, scratchFolder } from './powercut/record.ts'
import { type CutReport, cutPower } from './powercut/replay.ts'

// The power is cut on a recording: what the store did to its files, in order with what it acknowledged, is replayed on a
// simulated disk that loses, tears and reorders whatever was not synced. POWERCUTS sets the number of cuts,
// POWERCUT_SEED repeats a failing run.
const cuts = Number(process.env['POWERCUTS'] ?? 200)
const seed = Number(process.env['POWERCUT_SEED'] ?? Date.now() % 1_000_000)
const reason = cannotRecord()

describe(`power cut${reason ? ` (skipped: ${reason})` : ''}`, { skip: reason !== undefined }, () => {
  let scratch = ''
  before(() => {
    scratch = scratchFolder()
  })
  after(() => rmSync(scratch, { recursive: true, force: true }))

  it(`the store keeps every acknowledged write and stays whole through ${cuts} power cuts`, async () => {
    const recording = await record('store', 160, scratch)
    assertComplete(recording)
    const broken = faulty(await cutPower('store', recording.records, cuts, seeded(seed), scratch))
    assert.deepEqual(broken, [], `POWERCUT_SEED=${seed}`)
  })

  // The test of the test: settings known to lose data must be caught on the same workload.
  for (const kind of ['sqlite-normal', 'sqlite-off'] as const satisfies readonly LedgerKind[]) {
    it(`${kind} is caught losing acknowledged writes`, async () => {
      const recording = await record(kind, 80, scratch)
      assertComplete(recording)
      const broken = faulty(await cutPower(kind, recording.records, 60, seeded(seed), scratch))
      assert.ok(broken.some(({ faults }) => faults.some((fault) => fault.includes('was acknowledged'))), `POWERCUT_SEED=${seed}`)
    })
  }
})

const faulty = (reports: readonly CutReport[]): readonly CutReport[] => reports.filter(({ faults }) => faults.length > 0)

/** Nothing bypassed the recorder: replayed to the end, the folder is what the process left. */
function assertComplete({ records, folder }: Recording): void {
  const disk = new Disk()
  for (const record of records) disk.apply(record)
  const { files } = disk.asWritten()
  const left = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && !/^\.acks$|-shm$/.test(entry.name))
  assert.deepEqual([...files.keys()].sort(), left.map((file) => relative(folder, join(file.parentPath, file.name))).sort())
  for (const [path, content] of files) assert.ok(content.equals(readFileSync(join(folder, path))), `${path} differs from its recording`)
}
