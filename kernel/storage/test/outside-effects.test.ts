import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Collection, defineCollection, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { CallKeys } from '../src/idempotency/call-keys.ts'
import type { Answer } from '../src/idempotency/kept-answer.ts'
import { callKeys, type KeyRecord } from '../src/idempotency/record.ts'
import { subject } from './subject.ts'

const made = defineCollection('made', { schema: Type.Object({ id: Type.String() }), key: 'id' })
const DONE = { ok: true, status: 200, result: {} } as unknown as Answer

let store: Awaited<ReturnType<typeof subject>>
before(async () => {
  store = await subject({ clock: testClock() })
  await store.store.prepare([made, callKeys])
})
after(() => store.dispose())

const call = (key: string) => ({ tenantId: 'local', caller: 'ada', tool: 'make', key, digest: 'same', output: {} })
const keysStored = async (): Promise<readonly KeyRecord[]> => (await store.store.collection<KeyRecord>(callKeys, 'local').find()).items

test('a call that writes outside of its tenant has its key reserved, and its own work committed, before that write', async () => {
  const own = store.store.collection<{ id: string }>(made, 'local')
  const outside = store.store.collection<{ id: string }>(made, 'other')
  const seen: (readonly [keys: number, own: boolean])[] = []
  const watched = new Proxy(outside, {
    get: (target, name) =>
      name === 'insert'
        ? async (doc: { id: string }) => {
            seen.push([(await keysStored()).filter(({ process }) => process !== undefined).length, (await own.get('mine')) !== undefined])
            return target.insert(doc)
          }
        : Reflect.get(target, name),
  })
  await new CallKeys(store.store).once(call('a'), false, async (commit) => {
    assert.ok(commit)
    assert.equal(await commit.outsideTenant(outside).get('theirs'), undefined)
    await (commit.join(made, own) as Collection<{ id: string }>).insert({ id: 'mine' })
    await commit.outsideTenant(watched).insert({ id: 'theirs' })
    return DONE
  })
  assert.deepEqual(seen, [[1, true]])
  assert.deepEqual(
    (await keysStored()).map(({ answer, process }) => [answer !== undefined, process]),
    [[true, undefined]],
  )
})

test('in the middle of a unit of work the whole call runs again, with its key reserved first', async () => {
  const outside = store.store.collection<{ id: string }>(made, 'other')
  const commits: boolean[] = []
  await new CallKeys(store.store).once(call('b'), false, async (commit) => {
    commits.push(commit !== undefined)
    const write = async (): Promise<void> => void (await (commit?.outsideTenant(outside) ?? outside).insert({ id: 'once' }))
    await (commit ? commit.atomically(write) : write()).catch(() => {})
    return DONE
  })
  assert.deepEqual(commits, [true, false])
  assert.ok(await outside.get('once'))
})

test('of two nodes that have the same call at the same time, one has its effect and the other is refused until it has ended', async () => {
  const shared = new Proxy(store.store, {
    get(target, name) {
      if (name === 'shared') return true
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  const nodes = [new CallKeys(shared), new CallKeys(shared)]
  let effects = 0
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const answers = nodes.map((node) =>
    node.once(call('c'), false, async (commit) => {
      await commit?.commitBeforeOutsideEffect()
      effects++
      await ended
      return DONE
    }),
  )
  const refusal = await Promise.race(answers).catch((error: { code: string }) => error)
  assert.equal((refusal as { code: string }).code, 'IDEMPOTENCY_IN_PROGRESS')
  end()
  const outcomes = await Promise.allSettled(answers)
  assert.deepEqual([effects, outcomes.map(({ status }) => status).sort()], [1, ['fulfilled', 'rejected']])
})

test('a call whose unit of work failed commits nothing when it then waits for something else, and runs again', async () => {
  const own = store.store.collection<{ id: string }>(made, 'local')
  const commits: boolean[] = []
  const run = () =>
    new CallKeys(store.store).once(call('d'), false, async (commit) => {
      commits.push(commit !== undefined)
      if (!commit) return DONE
      await (commit.join(made, own) as Collection<{ id: string }>).insert({ id: 'before' })
      const work = commit.atomically(async (tx) => {
        await own.in(tx).insert({ id: 'half' })
        throw new Error('the other half is missing')
      })
      await assert.rejects(work, /other half/)
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate)
      return DONE
    })
  assert.equal((await run()).ok, true)
  assert.deepEqual([commits, await own.get('before'), await own.get('half')], [[true, false], undefined, undefined])
})
