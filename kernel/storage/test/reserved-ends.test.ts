import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Collection, isToolError, Unavailable } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { CallKeys } from '../src/idempotency/call-keys.ts'
import type { Answer, Replay } from '../src/idempotency/kept-answer.ts'
import { callKeys, type KeyRecord } from '../src/idempotency/record.ts'
import type { Store } from '../src/port.ts'
import { subject } from './subject.ts'

const SENT: Answer = { ok: true, status: 200, result: { sent: true } }
const BUSY: Answer = { ok: false, status: 503, error: { error: 'The channel is busy.', code: 'UNAVAILABLE' } } as Answer
const WRITES = new Set<PropertyKey>(['insert', 'updateOne', 'deleteOne'])

let opened: Awaited<ReturnType<typeof subject>>
let isFull = false
let keys: CallKeys
let effects = 0
before(async () => {
  opened = await subject({ clock: testClock() })
  await opened.store.prepare([callKeys])
})
after(() => opened.dispose())
beforeEach(() => {
  isFull = false
  effects = 0
  keys = new CallKeys(withFullDisk(opened.store))
})

/** The store, whose writes are refused while the disk is full. */
function withFullDisk(store: Store): Store {
  const refusing = <T extends object>(target: T, wrap: (name: PropertyKey, member: (...args: never[]) => unknown) => unknown): T =>
    new Proxy(target, {
      get(of, name) {
        const member: unknown = Reflect.get(of, name, of)
        return typeof member === 'function' ? wrap(name, member.bind(of)) : member
      },
    })
  return refusing(store, (name, member) =>
    name !== 'collection'
      ? member
      : (...args: never[]) =>
          refusing(member(...args) as Collection<object>, (method, write) => (...of: never[]) => {
            if (isFull && WRITES.has(method)) return Promise.reject(Unavailable({ message: 'The disk is full.' }))
            return write(...of)
          }),
  )
}

/** A call with an effect outside of the gateway, during which the disk fills up if `fills`. */
function send(key: string, { answer = SENT, fills = false, digest = 'same' } = {}): Promise<Answer | Replay | string> {
  const call = { tenantId: 'local', caller: 'ada', tool: 'send', key, digest, output: {} }
  const attempt = async (): Promise<Answer> => {
    effects++
    isFull ||= fills
    return answer
  }
  return keys.once(call, true, attempt).catch((error: unknown) => (isToolError(error) ? error.code : Promise.reject(error)))
}

const stored = (): Promise<KeyRecord[]> =>
  opened.store
    .collection<KeyRecord>(callKeys, 'local')
    .find()
    .then(({ items }) => items.filter(({ process }) => process !== undefined))

test('a reserved call whose end the store refuses is answered, and so are repeated calls, without a second effect', async () => {
  assert.deepEqual(await send('a', { fills: true }), SENT)
  assert.deepEqual(await send('a'), { ...SENT, replayed: true })
  assert.equal(await send('a', { digest: 'other' }), 'IDEMPOTENCY_KEY_REUSED')
  isFull = false
  assert.deepEqual(await send('a'), { ...SENT, replayed: true })
  assert.deepEqual([effects, (await stored()).length], [1, 0])
  keys = new CallKeys(opened.store)
  assert.deepEqual(await send('a'), { ...SENT, replayed: true }, 'another process finds the answer in the store')
})

test('a key that stays free can be used once the store takes writes again', async () => {
  assert.deepEqual(await send('b', { answer: BUSY, fills: true }), BUSY)
  assert.equal(await send('b'), 'UNAVAILABLE')
  isFull = false
  assert.deepEqual(await send('b'), SENT)
  assert.equal(effects, 2)
})

test('ends that the store refused are written after the next one that it takes', async () => {
  await send('c', { fills: true })
  assert.equal((await stored()).length, 1)
  isFull = false
  await send('d')
  assert.equal((await stored()).length, 0)
})

test('a reservation of this process whose call does not run is no call in progress', async () => {
  const lost = new CallKeys(
    new Proxy(withFullDisk(opened.store), {
      get(store, name) {
        const member: unknown = Reflect.get(store, name)
        if (name !== 'collection') return member
        return (...args: never[]) => {
          const inner = (member as Store['collection'])(...(args as unknown as Parameters<Store['collection']>))
          const insert = async (doc: object): Promise<object> => {
            const done = await inner.insert(doc as never)
            if (acknowledges) return done
            throw Unavailable({ message: 'The connection was lost.' })
          }
          return new Proxy(inner, { get: (of, method) => (method === 'insert' ? insert : Reflect.get(of, method)) })
        }
      },
    }),
  )
  let acknowledges = false
  keys = lost
  assert.equal(await send('e'), 'UNAVAILABLE')
  acknowledges = true
  assert.deepEqual([await send('e'), effects], [SENT, 1])
})
