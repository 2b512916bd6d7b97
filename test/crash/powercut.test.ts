import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Disk } from './powercut/disk.ts'
import { inspectAudit } from './powercut/inspect-audit.ts'
import { inspectKey } from './powercut/inspect-key.ts'
import { inspectLedger } from './powercut/inspect-ledger.ts'
import { seeded } from './powercut/random.ts'
import { cannotRecord, type Recording, record, scratchFolder } from './powercut/record.ts'
import { type CutReport, cutPower, type Inspect } from './powercut/replay.ts'

// The power is cut on a recording: the store's file operations, in order with its acknowledgements, are replayed on a
// simulated disk that loses, tears and reorders unsynced data. POWERCUTS sets the number of cuts,
// POWERCUT_SEED repeats a failing run.
const cuts = Number(process.env.POWERCUTS ?? 200)
const seed = Number(process.env.POWERCUT_SEED ?? Date.now() % 1_000_000)
const reason = cannotRecord()

describe(`power cut${reason ? ` (skipped: ${reason})` : ''}`, { skip: reason !== undefined, timeout: 120_000 + cuts * 1_000 }, () => {
  let scratch = ''
  before(() => {
    scratch = scratchFolder()
  })
  after(() => rmSync(scratch, { recursive: true, force: true }))

  /** Returns the faults at `count` power cuts during the recording. */
  async function faults(recording: Recording, inspect: Inspect, count: number): Promise<readonly CutReport[]> {
    assertComplete(recording)
    const reports = await cutPower(recording.records, { count, random: seeded(seed), scratch, inspect })
    return reports.filter((report) => report.faults.length > 0)
  }

  it(`the store keeps every acknowledged write and stays whole through ${cuts} power cuts`, async () => {
    const recording = await record('ledger-workload.ts', ['store', '160'], scratch)
    assert.deepEqual(await faults(recording, inspectLedger('store'), cuts), [], `POWERCUT_SEED=${seed}`)
  })

  it(`the audit trail keeps what was synced and its chain holds through ${cuts} power cuts`, async () => {
    const recording = await record('audit-workload.ts', ['6'], scratch)
    assert.deepEqual(await faults(recording, inspectAudit, cuts), [], `POWERCUT_SEED=${seed}`)
  })

  it(`the hash key that secrets were hashed with is whole and the same through ${cuts} power cuts`, async () => {
    const recording = await record('key-workload.ts', [], scratch)
    assert.deepEqual(await faults(recording, inspectKey, cuts), [], `POWERCUT_SEED=${seed}`)
  })

  // Tests the test: stores known to lose data must be caught on the same workload.
  for (const kind of ['store-without-sync', 'sqlite-normal', 'sqlite-off'] as const) {
    it(`${kind} is caught losing acknowledged writes`, async () => {
      const recording = await record('ledger-workload.ts', [kind, '80'], scratch)
      const found = await faults(recording, inspectLedger(kind), 60)
      assert.ok(
        found.some((report) => report.faults.some((fault) => fault.includes('was acknowledged'))),
        `POWERCUT_SEED=${seed}`,
      )
    })
  }
})

/** Checks that nothing bypassed the recorder: replayed to the end, the folder is as the process left it. */
function assertComplete({ records, folder }: Recording): void {
  const disk = new Disk()
  for (const record of records) disk.apply(record)
  const { files } = disk.asWritten()
  const left = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/^\.acks$|-shm$/.test(entry.name),
  )
  assert.deepEqual([...files.keys()].sort(), left.map((file) => relative(folder, join(file.parentPath, file.name))).sort())
  for (const [path, content] of files) assert.ok(content.equals(readFileSync(join(folder, path))), `${path} differs from its recording`)
}
