import assert from 'node:assert/strict'
import { after, describe, it, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { HOUR_MS } from '@gateway/sdk'
import { KERNEL_TENANT } from '../../storage/src/kernel-tenant.ts'
import type { Store } from '../../storage/src/port.ts'
import { temporaryFolder } from '../../storage/test/temporary-folder.ts'
import { lacksServer, mongoServer } from '../../storage-mongodb/test/mongodb-server.ts'
import { mongoSubject } from '../../storage-mongodb/test/mongodb-subject.ts'
import { type JobRecord, jobRecords } from '../src/job-record.ts'
import { type NodeOptions, NodeProcess } from './node.ts'

// Separate processes over one store, killed, stopped and with wrong clocks. SIGKILL and SIGSTOP leave no chance to clean up.

const clock = { now: Date.now }
/** A node that pauses for two thirds of it, as on a machine that stalls, keeps its lock. */
const LOCK_SECONDS = 9

async function theRecord(store: Store): Promise<JobRecord> {
  const { items } = await store.collection<JobRecord>(jobRecords, KERNEL_TENANT).find()
  assert.equal(items.length, 1)
  return items[0] as JobRecord
}

/** The record, once nobody holds the job. */
async function released(store: Store): Promise<JobRecord> {
  for (;;) {
    const record = await theRecord(store)
    if (record.lockedAt === undefined) return record
    await setTimeout(50)
  }
}

/** Within the time of a slow machine; an hour is far from it. */
function near(time: string | undefined, expected: number): void {
  assert.ok(time !== undefined && Math.abs(Date.parse(time) - expected) < 60_000, `${time} is not near ${new Date(expected).toISOString()}`)
}

interface Bench {
  readonly store: Store
  start(options?: Partial<Pick<NodeOptions, 'aheadMs' | 'everySeconds' | 'lockSeconds'>>): NodeProcess
}

function nodesSuite(title: string, server: () => Promise<{ url: string; serverTimes: boolean }>): void {
  function promise(name: string, check: (bench: Bench) => Promise<void>): void {
    it(name, { timeout: 180_000 }, async () => {
      const { url, ...options } = await server()
      const opened = await mongoSubject(url, { clock, ...options })
      const nodes: NodeProcess[] = []
      try {
        await opened.store.prepare([jobRecords])
        await check({
          store: opened.store,
          start(more = {}) {
            const where = { url: opened.url, ...options }
            const node = new NodeProcess({ where, aheadMs: 0, everySeconds: 3_600, lockSeconds: LOCK_SECONDS, ...more })
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

  describe(title, { concurrency: 5 }, () => {
    promise('the run of a node that is killed is run again by another, once, when its lock has expired', async ({ store, start }) => {
      const first = start()
      await first.says('begun')
      const second = start()
      await second.looks(1)
      const { lockedAt } = await theRecord(store)
      await first.kill()
      await second.says('begun')
      assert.ok(Date.now() - Date.parse(lockedAt as string) >= LOCK_SECONDS * 1_000, 'not before the lock expired')
      second.tell('end a run')
      await released(store)
      await second.looks()
      assert.deepEqual(second.said, ['begun'])
      assert.equal((await theRecord(store)).lock, 2)
    })

    promise('a run that goes on for longer than a lock lives keeps it', async ({ store, start }) => {
      const first = start()
      await first.says('begun')
      const second = start()
      const { lockedAt } = await theRecord(store)
      while (Date.now() - Date.parse(lockedAt as string) < 2 * LOCK_SECONDS * 1_000) await second.looks(1)
      assert.deepEqual([first.said, second.said], [['begun'], []])
      assert.equal((await theRecord(store)).lock, 1)
    })

    promise(
      'a node that was stopped past its lock is told to end its run, and cannot overwrite its successor',
      async ({ store, start }) => {
        const first = start()
        await first.says('begun')
        const second = start()
        await second.looks(1)
        first.signal('SIGSTOP')
        await second.says('begun')
        first.signal('SIGCONT')
        await first.says('told to end')
        first.tell('end a run')
        await first.looks()
        const meanwhile = await theRecord(store)
        assert.equal(meanwhile.lock, 2)
        assert.ok(meanwhile.lockedAt, 'the successor’s lock stands')
        assert.equal(meanwhile.lastFinishedAt, undefined)
        second.tell('end a run')
        assert.ok((await released(store)).lastFinishedAt)
        assert.deepEqual([first.said, second.said], [['begun', 'told to end'], ['begun']])
      },
    )

    promise('a node that stops gives a job of short interval to another at once', async ({ store, start }) => {
      const first = start({ everySeconds: 0.2, lockSeconds: 600 })
      await first.says('begun')
      const second = start({ everySeconds: 0.2, lockSeconds: 600 })
      await second.looks(1)
      first.tell('end a run')
      await first.says('begun', 2)
      assert.equal((await theRecord(store)).lock, 1, 'both runs were under one lock')
      first.tell('end a run')
      await first.stop()
      await second.says('begun')
    })

    promise('a node whose clock is an hour ahead takes no running job, and none before its time', async ({ store, start }) => {
      const first = start()
      await first.says('begun')
      const ahead = start({ aheadMs: HOUR_MS })
      await ahead.looks()
      first.tell('end a run')
      const { nextRunAt } = await released(store)
      await ahead.looks()
      assert.deepEqual([first.said, ahead.said], [['begun'], []])
      near(nextRunAt, Date.now() + HOUR_MS)
    })

    for (const [word, aheadMs] of [
      ['ahead', HOUR_MS],
      ['behind', -HOUR_MS],
    ] as const) {
      promise(
        `a node whose clock is an hour ${word} runs what is due, keeps its lock, and says when it is due again`,
        async ({ store, start }) => {
          const wrong = start({ aheadMs })
          await wrong.says('begun')
          const right = start()
          await right.looks()
          assert.deepEqual(right.said, [], 'its lock is good by everyone’s clock')
          wrong.tell('end a run')
          const done = await released(store)
          near(done.lastRunAt, Date.now())
          near(done.lastFinishedAt, Date.now())
          near(done.nextRunAt, Date.now() + HOUR_MS)
        },
      )
    }
  })
}

const lacking = lacksServer()
if (lacking !== undefined) test(`nodes on MongoDB (${lacking})`, { skip: true })
else {
  const server = mongoServer()
  after(async () => (await server).stop())
  nodesSuite('nodes on MongoDB', async () => ({ url: (await server).url, serverTimes: true }))
}

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
      await second.looks()
      assert.deepEqual(second.said, ['begun'])
    } finally {
      await second.kill()
      folder.remove()
    }
  })
})
