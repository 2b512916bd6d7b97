import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Collection, defineCollection, isToolError, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { lacksServer, mongoServer } from '../../storage-mongodb/test/mongodb-server.ts'
import { mongoSubject } from '../../storage-mongodb/test/mongodb-subject.ts'
import { CallKeys } from '../src/idempotency/call-keys.ts'
import type { Answer } from '../src/idempotency/kept-answer.ts'
import { callKeys } from '../src/idempotency/record.ts'

const made = defineCollection('made', { schema: Type.Object({ id: Type.String() }), key: 'id' })
const KEYS = 10

const lacking = lacksServer()
const promise = 'one key used at several nodes at the same time has one effect, and no call fails because of the others'
if (lacking !== undefined) test(`${promise} (${lacking})`, { skip: true })
else {
  const server = mongoServer()
  after(async () => (await server).stop())
  test(promise, async (t) => {
    const subject = await mongoSubject((await server).url, { clock: testClock() })
    t.after(() => subject.dispose())
    const stores = [subject.store, await subject.reopen(), await subject.reopen()]
    for (const store of stores) await store.prepare([made, callKeys])
    let ids = 0
    const nodes = stores.map((store) => {
      const [keys, docs] = [new CallKeys(store), store.collection<{ id: string }>(made, 'local')]
      return async (key: string): Promise<string> => {
        const call = { tenantId: 'local', caller: 'ada', tool: 'make', key, digest: 'same', output: {} }
        const answer = await keys.once(call, false, async (commit): Promise<Answer> => {
          const collection = commit ? (commit.join(made, docs) as Collection<{ id: string }>) : docs
          return { ok: true, status: 200, result: await collection.insert({ id: `made-${ids++}` }) }
        })
        return (answer as { result: { id: string } }).result.id
      }
    })
    const results = await Promise.allSettled(
      Array.from({ length: KEYS }, (_, key) => key).flatMap((key) => nodes.map((once) => once(`key-${key}`))),
    )
    for (const result of results)
      if (result.status === 'rejected')
        assert.ok(isToolError(result.reason) && result.reason.code === 'IDEMPOTENCY_IN_PROGRESS', String(result.reason))
    assert.equal(await stores[0]?.collection(made, 'local').count(), KEYS)
    for (let key = 0; key < KEYS; key++) {
      const replays = await Promise.all(nodes.map((once) => once(`key-${key}`)))
      assert.equal(new Set(replays).size, 1)
    }
  })
}
