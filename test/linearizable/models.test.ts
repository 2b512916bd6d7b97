import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Call, faults, type Model } from './checker.ts'
import { type BudgetAnswer, type BudgetCall, budgetModel } from './models/budgets.ts'
import { type KeyCall, keyModel } from './models/keys.ts'
import { type SlotAnswer, type SlotCall, slotModel } from './models/slots.ts'
import { type TaskAnswer, type TaskCall, taskHistories, taskModel, wrongEmptyClaims } from './models/tasks.ts'
import { type TenantCall, tenantModel } from './models/tenants.ts'

type Times = Pick<Call<unknown>, 'invoked' | 'returned' | 'lost'>
type Unsent<C> = Omit<C, keyof Times>

/** Each call begins after the one before was answered. */
function oneByOne<C extends Call<unknown>>(...calls: readonly Unsent<C>[]): C[] {
  return calls.map((call, n) => {
    const times: Times =
      (call as { answer?: unknown }).answer === undefined ? { invoked: 2 * n, lost: 2 * n + 1 } : { invoked: 2 * n, returned: 2 * n + 1 }
    return { ...call, ...times } as unknown as C
  })
}

function right<S, C extends Call<unknown> & { readonly key: string }>(model: Model<S, C>, calls: readonly C[]): void {
  assert.deepEqual(faults(model, calls), [])
}

function wrong<S, C extends Call<unknown> & { readonly key: string }>(model: Model<S, C>, calls: readonly C[]): void {
  assert.match(faults(model, calls)[0] ?? 'explained', /^no order of the calls explains/)
}

const task = (op: 'create' | 'claim' | 'read', answer?: TaskAnswer) => ({ key: 't', request: { op }, ...(answer && { answer }) })
const complete = (claimId: string, answer?: TaskAnswer) => ({
  key: 't',
  request: { op: 'complete' as const, claimId },
  ...(answer && { answer }),
})
const ok = { ok: true } as const
const claimed = (claimId: string): TaskAnswer => ({ ok: true, claimId })
const shown = (status: string, claimId?: string): TaskAnswer => ({ ok: true, status, ...(claimId !== undefined && { claimId }) })
const refused = { ok: false } as const
const tasks = (...calls: readonly Unsent<TaskCall>[]) => oneByOne<TaskCall>(...calls)

test('a task that is claimed once and completed by its claim is explained; claimed twice, or completed by another claim, it is not', () => {
  right(taskModel, tasks(task('create', ok), task('claim', claimed('a')), task('read', shown('working', 'a')), complete('a', ok)))
  right(taskModel, tasks(task('create', ok), task('claim', claimed('a')), complete('b', refused), complete('a', ok)))
  wrong(taskModel, tasks(task('create', ok), task('claim', claimed('a')), task('claim', claimed('b'))))
  wrong(taskModel, tasks(task('create', ok), task('claim', claimed('a')), complete('b', ok)))
  wrong(taskModel, tasks(task('create', ok), task('claim', claimed('a')), complete('a', refused)))
})

test('a read that shows a task as it was before an answered change is found', () => {
  wrong(taskModel, tasks(task('create', ok), task('claim', claimed('a')), task('read', shown('pending'))))
  wrong(taskModel, tasks(task('create', ok), task('claim', claimed('a')), complete('a', ok), task('read', shown('working', 'a'))))
  wrong(taskModel, tasks(task('create', ok), task('claim', claimed('a')), task('read', shown('working', 'b'))))
})

test('a claim without an answer may have taken any task of its repo, once', () => {
  const lost: TaskCall = { key: 'web', request: { op: 'claim' }, invoked: 3, lost: 9 }
  const repoOf = (taskId: string) => (taskId === 't' ? 'web' : undefined)
  const history = (...calls: TaskCall[]) => taskHistories([...calls, lost], repoOf)
  const [created] = tasks(task('create', ok)) as [TaskCall]
  const read = (answer: TaskAnswer, at: number): TaskCall => ({
    key: 't',
    request: { op: 'read' },
    invoked: at,
    returned: at + 0.5,
    answer,
  })
  right(taskModel, history(created, read(shown('pending'), 4), read(shown('working', 'x'), 5)))
  right(taskModel, history(created, read(shown('pending'), 10)))
  wrong(taskModel, history(created, read(shown('working', 'x'), 4), read(shown('pending'), 5)))
  wrong(taskModel, history(created, read(shown('pending'), 10), read(shown('working', 'x'), 11)))
})

test('a claim that finds nothing while a task waits all the while is found', () => {
  const repoOf = (taskId: string) => (taskId === 't' ? 'web' : undefined)
  const empty: TaskCall = { key: 'web', request: { op: 'claim' }, invoked: 10, returned: 11, answer: refused }
  const [created, taken] = tasks(task('create', ok), task('claim', claimed('a'))) as [TaskCall, TaskCall]
  assert.match(wrongEmptyClaims([created, empty], repoOf)[0] ?? '', /found nothing while t waited/)
  assert.deepEqual(wrongEmptyClaims([created, taken, empty], repoOf), [])
  assert.deepEqual(wrongEmptyClaims([empty], repoOf), [])
  const lost: TaskCall = { key: 'web', request: { op: 'claim' }, invoked: 3, lost: 4 }
  assert.deepEqual(wrongEmptyClaims([created, lost, empty], repoOf), [])
})

const acquire = (holder: string, answer?: SlotAnswer) => ({
  key: 'pool',
  holder,
  request: { op: 'acquire' as const },
  ...(answer && { answer }),
})
const release = (holder: string, slot: number, answer?: SlotAnswer) => ({
  key: 'pool',
  holder,
  request: { op: 'release' as const, slot },
  ...(answer && { answer }),
})
const slot = (number: number): SlotAnswer => ({ ok: true, slot: number })
const slots = (...calls: readonly Unsent<SlotCall>[]) => oneByOne<SlotCall>(...calls)

test('a slot has one holder; a holder has one slot; a pool with a free slot refuses nobody', () => {
  const two = slotModel(2)
  right(two, slots(acquire('a', slot(1)), acquire('b', slot(2)), acquire('c', refused), release('a', 1, ok), acquire('c', slot(1))))
  right(two, slots(acquire('a', slot(1)), acquire('a', slot(1))))
  right(two, slots(acquire('a'), acquire('b', slot(2)), acquire('c', refused)))
  wrong(two, slots(acquire('a', slot(1)), acquire('b', slot(1))))
  wrong(two, slots(acquire('a', slot(1)), acquire('a', slot(2))))
  wrong(two, slots(acquire('a', slot(1)), acquire('b', refused)))
  wrong(two, slots(acquire('a', slot(1)), release('a', 1, refused)))
  wrong(two, slots(acquire('a', slot(1)), release('b', 1, ok)))
  wrong(two, slots(acquire('a'), acquire('b', slot(2)), release('b', 2, ok), acquire('c', refused)))
})

const tenant = (op: 'suspend' | 'reactivate' | 'use', isOk?: boolean) => ({
  key: 'acme',
  request: { op },
  ...(isOk !== undefined && { answer: { ok: isOk } }),
})
const tenants = (...calls: readonly Unsent<TenantCall>[]) => oneByOne<TenantCall>(...calls)

test('a suspended tenant is refused from the next call on, and let in again after it was reactivated', () => {
  right(
    tenantModel,
    tenants(tenant('use', true), tenant('suspend', true), tenant('use', false), tenant('reactivate', true), tenant('use', true)),
  )
  right(tenantModel, tenants(tenant('suspend'), tenant('use', true)))
  right(tenantModel, tenants(tenant('suspend'), tenant('use', false)))
  wrong(tenantModel, tenants(tenant('suspend', true), tenant('use', true)))
  wrong(tenantModel, tenants(tenant('suspend', true), tenant('reactivate', true), tenant('use', false)))
  wrong(tenantModel, tenants(tenant('suspend'), tenant('use', false), tenant('use', true)))
})

const spend = (tokens: number, answer?: BudgetAnswer) => ({
  key: 's',
  request: { op: 'spend' as const, tokens },
  ...(answer && { answer }),
})
const spent = (tokens: number, isPaused: boolean) => ({ key: 's', request: { op: 'read' as const }, answer: { spent: tokens, isPaused } })
const budgets = (...calls: readonly Unsent<BudgetCall>[]) => oneByOne<BudgetCall>(...calls)

test('everything spent is counted once, and the budget stops when it is met and not before', () => {
  const ten = budgetModel(10)
  right(ten, budgets(spend(4, {}), spent(4, false), spend(6, {}), spent(10, true)))
  right(ten, budgets(spend(4), spent(0, false)))
  right(ten, budgets(spend(4), spent(4, false)))
  wrong(ten, budgets(spend(4, {}), spent(0, false)))
  wrong(ten, budgets(spend(4, {}), spent(8, false)))
  wrong(ten, budgets(spend(10, {}), spent(10, false)))
  wrong(ten, budgets(spend(4), spent(4, false), spent(0, false)))
})

const key = (result?: string) => ({ key: 'k', ...(result !== undefined && { answer: { result } }) })
const keys = (...calls: readonly Unsent<KeyCall>[]) => oneByOne<KeyCall>(...calls)

test('all calls with one key get one result', () => {
  right(keyModel, keys(key('a'), key('a'), key()))
  right(keyModel, keys(key(), key('a')))
  wrong(keyModel, keys(key('a'), key('b')))
  wrong(keyModel, keys(key(), key('a'), key(), key('b')))
})
