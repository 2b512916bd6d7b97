import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Atomically, type Collection, defineCollection, isToolError, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { lacksServer, mongoServer } from '../../kernel/storage-mongodb/test/mongodb-server.ts'
import { mongoSubject } from '../../kernel/storage-mongodb/test/mongodb-subject.ts'
import type { Leases } from '../../plugins/leases/src/api.ts'
import { fences, leases } from '../../plugins/leases/src/collections.ts'
import { leaseProvider } from '../../plugins/leases/src/services/leases.ts'

const entries = defineCollection('entries', { schema: Type.Object({ id: Type.String() }), key: 'id' })
const [ada, grace] = ['host-1/lane/ada', 'host-2/lane/grace']

/** Time that a takeover without a conflict needs at most; with one it takes that long. */
const PATIENCE_MS = 1_000

interface Node {
  readonly leases: Leases
  readonly atomically: Atomically
  readonly entries: Collection<{ id: string }>
}

const lacking = lacksServer()
const promise = 'a write behind a guard is not committed when another node takes the lease over before its commit'
if (lacking !== undefined) test(`${promise} (${lacking})`, { skip: true })
else {
  const server = mongoServer()
  after(async () => (await server).stop())
  test(promise, async (t) => {
    const subject = await mongoSubject((await server).url, { clock: testClock() })
    t.after(() => subject.dispose())
    const stores = [subject.store, await subject.reopen()]
    for (const store of stores) await store.prepare([leases, fences, entries])
    const [first, second] = stores.map((store) => {
      const uses = { leases: store.collection(leases, 'local'), fences: store.collection(fences, 'local'), acquisitions: { add() {} } }
      const principal = { id: 'operator', kind: 'operator', role: 'operator', tenantId: 'local' }
      const leasing = leaseProvider.create(uses as never, { principal } as never) as Leases
      return { leases: leasing, atomically: store.atomically('local'), entries: store.collection<{ id: string }>(entries, 'local') }
    }) as [Node, Node]
    const got = await first.atomically((tx) => first.leases.acquire({ key: 'deploy', holder: ada }, tx))
    assert.ok(got.acquired)
    const { fence, epoch } = got.lease

    let isTakenOver = false
    const takeOver = (): Promise<void> =>
      second.atomically(async (tx) => {
        await second.leases.release({ key: 'deploy', holder: grace, epoch, force: true }, tx)
        await second.leases.acquire({ key: 'deploy', holder: grace }, tx)
      }) as Promise<void>
    let takeover: Promise<void> | undefined
    let wasTakenOver = false
    const write = first.atomically(async (tx) => {
      await first.leases.guard({ key: 'deploy', fence }, tx)
      takeover ??= takeOver().then(() => void (isTakenOver = true))
      // Two transactions that conflict cannot both end, so the other one may be waiting for this one.
      await Promise.race([takeover, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
      wasTakenOver = isTakenOver
      await first.entries.in(tx).insert({ id: 'entry' })
    })
    const outcome = await write.then(
      () => 'written',
      (error: unknown) => (isToolError(error) ? error.code : String(error)),
    )
    await takeover
    assert.equal((await second.atomically((tx) => second.leases.held('deploy', tx)))?.holder, grace)
    if (outcome === 'written') assert.ok(!wasTakenOver, 'it was written after the takeover was committed')
    else assert.deepEqual([outcome, await first.entries.count()], ['STALE_FENCE', 0])
  })
}
