import assert from 'node:assert/strict'
import { after, describe, it, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type JobRecord, jobRecords } from '../../src/jobs/job-record.ts'
import type { Store } from '../../src/storage/port.ts'
import { KERNEL_TENANT } from '../../src/tenancy/collections.ts'
import { buildFerretdb, startFerretdb } from '../storage/ferretdb.ts'
import { mongoSubject } from '../storage/mongodb-subject.ts'
import { temporaryFolder } from '../storage/subject.ts'
import { type NodeOptions, NodeProcess } from './node.ts'

// Processes of their own over one store, killed, stopped and with wrong clocks. SIGKILL and SIGSTOP give nobody a chance to tidy up.

const HOUR_MS = 3_600_000
const clock = { now: Date.now }
/** Longer than two polls: what would happen by then has happened. */
const A_WHILE_MS = 2_500

async function theRecord(store: Store): Promise<JobRecord> {
  const { items } = await store.collection<JobRecord>(jobRecords, KERNEL_TENANT).find()
  assert.equal(items.length, 1)
  return items[0] as JobRecord
}

async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    await setTimeout(50)
  }
}

interface Bench {
  readonly store: Store
  start(options?: Partial<Pick<NodeOptions, 'aheadMs' | 'everySeconds' | 'lockSeconds'>>): NodeProcess
}

function nodesSuite(title: string, server: () => Promise<{ url: string; withoutTransactions: boolean; serverTimes: boolean }>): void {
  function promise(name: string, check: (bench: Bench) => Promise<void>): void {
    it(name, { timeout: 60_000 }, async () => {
      const { url, ...options } = await server()
      const opened = await mongoSubject(url, { clock, ...options })
      const nodes: NodeProcess[] = []
      try {
        await opened.store.prepare([jobRecords])
        await check({
          store: opened.store,
          start(more = {}) {
            const where = { url: opened.url, ...options }
            const node = new NodeProcess({ where, aheadMs: 0, everySeconds: 3_600, lockSeconds: 2, ...more })
            nodes.push(node)
            return node
          },
        })
      } finally {
        for (const node of nodes) await node.kill()
        await opened.dispose()
      }
    })
  }

  describe(title, () => {
    promise('the run of a node that is killed is run again by another, once, when its lock has expired', async ({ store, start }) => {
      const first = start()
      await first.says('begun')
      const { lockedAt } = await theRecord(store)
      const second = start()
      await first.kill()
      await second.says('begun')
      assert.ok(Date.now() - Date.parse(lockedAt as string) >= 2_000, 'not before the lock expired')
      second.tell('end a run')
      await until(
        () => theRecord(store),
        ({ lockedAt }) => lockedAt === undefined,
      )
      await setTimeout(A_WHILE_MS)
      assert.deepEqual(second.said, ['begun'])
      assert.equal((await theRecord(store)).lock, 2)
    })

    promise('a run that goes on for longer than a lock lives keeps it', async ({ store, start }) => {
      const first = start({ lockSeconds: 1 })
      await first.says('begun')
      const second = start({ lockSeconds: 1 })
      await setTimeout(2 * A_WHILE_MS)
      assert.deepEqual([first.said, second.said], [['begun'], []])
      assert.equal((await theRecord(store)).lock, 1)
    })

    promise(
      'a node that was stopped past its lock is told to end its run, and cannot overwrite its successor',
      async ({ store, start }) => {
        const first = start()
        await first.says('begun')
        const second = start()
        first.signal('SIGSTOP')
        await second.says('begun')
        first.signal('SIGCONT')
        await first.says('told to end')
        first.tell('end a run')
        await setTimeout(A_WHILE_MS)
        const while2Runs = await theRecord(store)
        assert.equal(while2Runs.lock, 2)
        assert.ok(while2Runs.lockedAt, 'the successor’s lock stands')
        assert.equal(while2Runs.lastFinishedAt, undefined)
        second.tell('end a run')
        const done = await until(
          () => theRecord(store),
          ({ lockedAt }) => lockedAt === undefined,
        )
        assert.ok(done.lastFinishedAt)
        assert.deepEqual([first.said, second.said], [['begun', 'told to end'], ['begun']])
      },
    )

    promise('a node that stops gives a job of short interval to another at once', async ({ start }) => {
      const first = start({ everySeconds: 0.2, lockSeconds: 30 })
      await first.says('begun')
      const second = start({ everySeconds: 0.2, lockSeconds: 30 })
      first.tell('end a run')
      await first.says('begun', 2)
      first.tell('end a run')
      await first.stop()
      await second.says('begun')
    })

    promise('a node whose clock is an hour ahead takes no running job, and none before its time', async ({ store, start }) => {
      const first = start()
      await first.says('begun')
      const ahead = start({ aheadMs: HOUR_MS })
      await setTimeout(A_WHILE_MS)
      first.tell('end a run')
      const { nextRunAt } = await until(
        () => theRecord(store),
        ({ lockedAt }) => lockedAt === undefined,
      )
      await setTimeout(A_WHILE_MS)
      assert.deepEqual([first.said, ahead.said], [['begun'], []])
      assert.ok(Math.abs(Date.parse(nextRunAt as string) - Date.now() - HOUR_MS) < 10_000)
    })

    for (const [word, aheadMs] of [
      ['ahead', HOUR_MS],
      ['behind', -HOUR_MS],
    ] as const) {
      promise(`a node whose clock is an hour ${word} runs what is due, keeps its lock, and says when it is due again`, async (bench) => {
        const wrong = bench.start({ aheadMs })
        await wrong.says('begun')
        const right = bench.start()
        await setTimeout(A_WHILE_MS)
        assert.deepEqual(right.said, [], 'its lock is good by everyone’s clock')
        wrong.tell('end a run')
        const done = await until(
          () => theRecord(bench.store),
          ({ lockedAt }) => lockedAt === undefined,
        )
        for (const time of [done.lastRunAt, done.lastFinishedAt]) assert.ok(Math.abs(Date.parse(time as string) - Date.now()) < 10_000)
        assert.ok(Math.abs(Date.parse(done.nextRunAt as string) - Date.now() - HOUR_MS) < 10_000)
      })
    }
  })
}

const { MONGODB_URL } = process.env
if (MONGODB_URL) nodesSuite('nodes on MongoDB', async () => ({ url: MONGODB_URL, withoutTransactions: false, serverTimes: true }))
else test('nodes on MongoDB (needs a replica set, named by MONGODB_URL)', { skip: true })

const ferretdb = buildFerretdb()
if ('binary' in ferretdb) {
  const started = startFerretdb(ferretdb.binary)
  after(async () => (await started).stop())
  nodesSuite('nodes on FerretDB', async () => ({ url: (await started).url, withoutTransactions: true, serverTimes: false }))
} else test(`nodes on FerretDB (${ferretdb.reason})`, { skip: true })

describe('one node on SQLite', () => {
  it('killed in a run, it runs that again when it is back, once, without waiting for a lock', async () => {
    const folder = temporaryFolder()
    const options = { where: { dataDir: folder.path }, aheadMs: 0, everySeconds: 3_600, lockSeconds: 600 }
    const first = new NodeProcess(options)
    await first.says('begun')
    await first.kill()
    const second = new NodeProcess(options)
    try {
      await second.says('begun')
      second.tell('end a run')
      await setTimeout(A_WHILE_MS)
      assert.deepEqual(second.said, ['begun'])
    } finally {
      await second.kill()
      folder.remove()
    }
  })
})
