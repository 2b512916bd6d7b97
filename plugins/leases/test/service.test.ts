import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseService, StaleFence } from '@gateway/plugin-leases/api'
import { atomically, Conflict, closed, defineCollection, definePlugin, defineTool, Type } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { ADA, acquire, BOB, held, list, release, start, type TestGateway } from './support.ts'

const Page = Type.Object({ name: Type.String(), text: Type.String() }, closed)
const pages = defineCollection('wiki', { schema: Page, key: 'name' })

/** Another family: pages that only the holder of a lease may write. */
const wiki = definePlugin({
  id: 'wiki',
  sdk: '^1.0.0',
  description: 'Pages behind leases.',
  collections: [pages],
  tools: [
    defineTool({
      name: 'wiki_write',
      description: 'For tests.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ key: Type.String(), fence: Type.Integer(), text: Type.String() }, closed),
      output: Type.Object({ page: Page }, closed),
      errors: [StaleFence],
      uses: { leases: leaseService, pages, atomically },
      handle: ({ key, fence, text }, { leases, pages, atomically }) =>
        atomically(async (tx) => {
          const page = await pages.in(tx).upsert({ name: key, text }, { set: { text } })
          await leases.guard({ key, fence }, tx)
          return { page }
        }),
    }),
    defineTool({
      name: 'wiki_work',
      description: 'For tests: several steps under a lease in one transaction.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ key: Type.String(), holder: Type.String(), fail: Type.Boolean() }, closed),
      output: Type.Object({}),
      uses: { leases: leaseService, atomically },
      handle: ({ key, holder, fail }, { leases, atomically }) =>
        atomically(async (tx) => {
          const before = await leases.held(key, tx)
          const got = await leases.acquire({ key, holder, leaseSeconds: 60 }, tx)
          if (!got.acquired) return { got }
          const kept = await leases.heartbeat({ key, holder, epoch: got.lease.epoch }, tx)
          const during = await leases.held(key, tx)
          if (fail) throw Conflict({ message: 'It failed.' })
          const released = await leases.release({ key, holder, epoch: got.lease.epoch }, tx)
          return { before: before ?? null, kept: kept.ok, during: during?.holder, released: released?.holder }
        }),
    }),
  ],
})

const write = (gateway: TestGateway, fence: number, text: string) => gateway.call('wiki_write', { key: 'deploy', fence, text })
const text = async (gateway: TestGateway) => (await gateway.documents()).wiki

test('a fenced write goes through while its lease is in force', async () => {
  await using gateway = await start({ plugins: [wiki] })
  const { fence } = await held(gateway, ADA)
  assert.deepEqual(await write(gateway, fence, 'one'), { page: { name: 'deploy', text: 'one' } })
})

test('a stale holder’s write is refused and leaves nothing: run out, taken over, released, or never held', async () => {
  await using gateway = await start({ plugins: [wiki] })
  await assert.rejects(write(gateway, 1, 'never'), refusal('STALE_FENCE'))
  assert.deepEqual(await text(gateway), [])

  const lost = await held(gateway, ADA, { leaseSeconds: 30 })
  await write(gateway, lost.fence, 'ada')
  gateway.clock.advance(30)
  await assert.rejects(write(gateway, lost.fence, 'ada, too late'), refusal('STALE_FENCE'))

  const lease = await held(gateway, BOB)
  await write(gateway, lease.fence, 'bob')
  await assert.rejects(write(gateway, lost.fence, 'ada, too late'), (error: { code: string; details: object }) => {
    assert.deepEqual([error.code, error.details], ['STALE_FENCE', { key: 'deploy', fence: lost.fence, heldBy: BOB }])
    return true
  })

  await release(gateway, lease)
  await assert.rejects(write(gateway, lease.fence, 'bob, after all'), refusal('STALE_FENCE'))
  await held(gateway, BOB)
  await assert.rejects(write(gateway, lease.fence, 'bob, with his first lease'), refusal('STALE_FENCE'))
  assert.deepEqual(await text(gateway), [{ name: 'deploy', text: 'bob' }])
})

test('the steps of another family are part of its transaction: all of them or none', async () => {
  await using gateway = await start({ plugins: [wiki] })
  const work = (fail: boolean) => gateway.call('wiki_work', { key: 'deploy', holder: ADA, fail })
  assert.deepEqual(await work(false), { before: null, kept: true, during: ADA, released: ADA })
  await assert.rejects(work(true), refusal('CONFLICT'))
  assert.deepEqual(await list(gateway), [])
  await acquire(gateway, BOB)
  const { got } = await work(false)
  assert.deepEqual([got.acquired, got.heldBy], [false, BOB])
})
