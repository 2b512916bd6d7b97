import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairScheduler } from '@gateway/waiting'
import { CountedRefusals } from '../../../audit/src/refusals.ts'
import { answersInTurn } from '../../../mcp/src/handshake/batch.ts'
import { Admission } from '../../src/registry/admission.ts'

const enter = (admission: Admission, tenant: string, times: number) =>
  Array.from({ length: times }, () => admission.enter(tenant)).filter((refusal) => refusal === undefined).length

test('the last permits are for tenants without a call under way, whoever fills the others', () => {
  const admission = new Admission(16)
  const admitted = (tenantId: string): boolean => admission.enter(tenantId) === undefined
  assert.ok(admitted('a') && admitted('b'))
  for (let n = 0; n < 12; n++) admitted(['a', 'b', 'c', 'd'][n % 4] as string)
  assert.equal(admission.inFlight, 14)
  assert.deepEqual(['a', 'c', 'quiet', 'late', 'last'].map(admitted), [false, false, true, true, false])
})

test('a tenant has every place while it is alone, and a quarter once another has called', () => {
  const admission = new Admission(8)
  assert.equal(enter(admission, 'one', 9), 8)
  assert.ok(admission.refusal('two'), 'full')
  for (let i = 0; i < 7; i++) admission.leave('one')
  assert.equal(enter(admission, 'one', 5), 1)
  assert.equal(enter(admission, 'two', 5), 2)
  assert.equal(enter(admission, 'three', 5), 2)
  assert.equal(admission.inFlight, 6)
})

test('a drain waits for the places and for what runs inside them, and refuses what comes', async () => {
  const admission = new Admission(2)
  admission.enter('one')
  assert.ok(admission.enterInner())
  let drained = false
  const draining = admission.drain().then(() => (drained = true))
  assert.equal(admission.enter('one')?.code, 'UNAVAILABLE')
  assert.equal(admission.enterInner(), false)
  admission.leave('one')
  await Promise.resolve()
  assert.equal(drained, false)
  admission.leaveInner()
  await draining
})

test('tenants take turns however many calls one of them has, and one that was stopped takes none', async () => {
  const scheduler = new FairScheduler()
  const done: string[] = []
  const { signal } = new AbortController()
  let at = 0
  let most = 0
  const take = (tenant: string, end = signal) =>
    scheduler.take(tenant, end, async () => {
      most = Math.max(most, ++at)
      await Promise.resolve()
      at--
      done.push(tenant)
    })
  const gone = AbortSignal.abort(new Error('gone'))
  await Promise.all([...Array.from({ length: 50 }, () => take('many')), take('few'), assert.rejects(take('many', gone), /gone/)])
  assert.ok(done.indexOf('few') < 5)
  assert.ok(most <= 4)
  assert.equal(done.length, 51)
})

test('a batch runs four at a time, begins none once its answers are too large, and hears what wants no answer meanwhile', async () => {
  let at = 0
  let most = 0
  const heard: number[] = []
  const answers = await answersInTurn(
    Array.from({ length: 20 }, (_, n) => n),
    {
      maxBytes: 100,
      wantsAnswer: (n) => n !== 19,
      refuse: () => 'no',
      inPlace: (work) => work(),
      async answer(n) {
        if (n === 19) return void heard.push(at)
        most = Math.max(most, ++at)
        await new Promise((resolve) => setImmediate(resolve))
        at--
        return 'x'.repeat(60)
      },
    },
  )
  assert.equal(most, 4)
  assert.deepEqual(heard, [4])
  assert.equal(answers.length, 19)
  assert.ok(answers.filter((answer) => answer !== 'no').length <= 8)
})

test('of the refusals of one caller the first is to be written, the rest of a minute are one record with their number', async () => {
  const clock = { now: () => now }
  let now = 0
  const written: unknown[] = []
  const refusals = new CountedRefusals({ append: async (_tenant, entries) => void written.push(...entries) }, clock as never, () =>
    assert.fail(),
  )
  const tell = (kind = 'a') => refusals.isFirst(kind, 'acme', () => ({ details: { kind } }) as never)
  assert.deepEqual([tell(), tell(), tell(), tell('b')], [true, false, false, true])
  assert.deepEqual(written, [])
  now = 60_000
  refusals.sweep()
  assert.deepEqual(written, [{ details: { kind: 'a', times: 2 } }])
  assert.ok(tell())
  await refusals.close()
  assert.equal(written.length, 1)
})
