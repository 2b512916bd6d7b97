import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, seeded, upTo } from '../crash/powercut/random.ts'
import { type Call, type Model, unexplained } from './checker.ts'
import { type BudgetCall, budgetModel } from './models/budgets.ts'
import { type SlotCall, slotModel } from './models/slots.ts'
import { type TenantCall, tenantModel } from './models/tenants.ts'

/** Tries every order of the calls, without any of the rules of the search. */
function hasOrder<State, C extends Call<unknown>>(model: Model<State, C>, state: State, left: readonly C[]): boolean {
  if (left.every(({ answer }) => answer === undefined)) return true
  const firstEnd = Math.min(...left.map(({ returned, lost }) => returned ?? lost ?? Number.POSITIVE_INFINITY))
  return left.some((call) => {
    const others = left.filter((one) => one !== call)
    if (call.answer === undefined && call.lost === firstEnd && hasOrder(model, state, others)) return true
    return call.invoked <= firstEnd && model.execute(state, call).some((next) => hasOrder(model, next, others))
  })
}

/** Calls that overlap, some without an answer, with answers that are wrong now and then. */
function randomCalls<C extends Call<unknown>>(random: Random, count: number, draft: () => Omit<C, 'invoked' | 'returned' | 'lost'>): C[] {
  const times = Array.from({ length: 2 * count }, (_, n) => n)
  const taken = (): number => times.splice(upTo(random, times.length), 1)[0] as number
  return Array.from({ length: count }, () => {
    const [invoked, end] = [taken(), taken()].sort((a, b) => a - b)
    const call = draft() as unknown as C
    return { ...call, invoked, ...(call.answer === undefined ? { lost: end } : { returned: end }) }
  })
}

function agrees<State, C extends Call<unknown>>(name: string, model: Model<State, C>, draft: (random: Random) => object): void {
  test(`the search and the trial of every order agree about ${name}`, () => {
    const seen = { right: 0, wrong: 0 }
    for (let seed = 1; seed <= 1_500; seed++) {
      const random = seeded(seed)
      const calls = randomCalls<C>(random, 2 + upTo(random, 6), () => draft(random) as Omit<C, 'invoked' | 'returned' | 'lost'>)
      const expected = hasOrder(model, model.initial, calls)
      assert.equal(unexplained(model, calls) === undefined, expected, `seed ${seed}: ${JSON.stringify(calls)}`)
      seen[expected ? 'right' : 'wrong']++
    }
    assert.ok(seen.right > 100 && seen.wrong > 100, JSON.stringify(seen))
  })
}

const isAnswered = (random: Random): boolean => random() < 0.6

agrees('budgets', budgetModel(4), (random) => {
  if (random() < 0.4) {
    const spent = upTo(random, 6)
    return { key: 's', request: { op: 'read' }, ...(isAnswered(random) && { answer: { spent, isPaused: spent >= 4 } }) }
  }
  return { key: 's', request: { op: 'spend', tokens: 1 + upTo(random, 2) }, ...(isAnswered(random) && { answer: {} }) }
})

agrees('slots', slotModel(2), (random) => {
  const holder = ['a', 'b', 'c'][upTo(random, 3)]
  const slot = 1 + upTo(random, 2)
  const isGiven = random() < 0.7
  if (random() < 0.6) {
    const answer = isGiven ? { ok: true, slot } : { ok: false }
    return { key: 'pool', holder, request: { op: 'acquire' }, ...(isAnswered(random) && { answer }) }
  }
  return { key: 'pool', holder, request: { op: 'release', slot }, ...(isAnswered(random) && { answer: { ok: isGiven } }) }
})

agrees('suspensions', tenantModel, (random) => {
  const op = ['suspend', 'reactivate', 'use'][upTo(random, 3)]
  const answer = { ok: op === 'use' ? random() < 0.5 : true }
  return { key: 'acme', request: { op }, ...(isAnswered(random) && { answer }) }
})

test('forty calls without an answer do not make the search long', () => {
  const spends: BudgetCall[] = Array.from({ length: 40 }, (_, n) => ({
    key: 's',
    request: { op: 'spend', tokens: 1 + (n % 3) },
    invoked: n,
    lost: 10_000 + n,
  }))
  const read = (spent: number, at: number): BudgetCall => ({
    key: 's',
    request: { op: 'read' },
    invoked: at,
    returned: at + 0.5,
    answer: { spent, isPaused: false },
  })
  assert.equal(unexplained(budgetModel(1_000), [...spends, read(37, 200), read(79, 300)]), undefined)
  assert.match(unexplained(budgetModel(1_000), [...spends, read(37, 200), read(36, 300)]) ?? '', /^no order of the calls explains/)
})

test('holders who all ask for a slot without an answer do not make the search long', () => {
  const calls: SlotCall[] = Array.from({ length: 24 }, (_, n) => ({
    key: 'pool',
    holder: `holder-${n % 12}`,
    request: { op: n < 12 ? 'acquire' : 'release', slot: 1 + (n % 3) },
    invoked: n,
    lost: 10_000 + n,
  })) as SlotCall[]
  const acquired: SlotCall = { key: 'pool', holder: 'late', request: { op: 'acquire' }, invoked: 100, returned: 101, answer: { ok: false } }
  assert.equal(unexplained(slotModel(3), [...calls, acquired]), undefined)
})

test('a search with too many possible orders says so', () => {
  const calls: TenantCall[] = [
    { key: 'acme', request: { op: 'suspend' }, invoked: 0, returned: 10, answer: { ok: true } },
    { key: 'acme', request: { op: 'reactivate' }, invoked: 0, returned: 11, answer: { ok: true } },
  ]
  assert.match(unexplained(tenantModel, calls, 1) ?? '', /^no answer to the search: 1 orders of 2 open calls were possible at /)
})
