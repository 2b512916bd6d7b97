import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import fc from 'fast-check'
import { checkChildren, effectiveCap, HARD_CHILD_CAP } from '../src/rules/plan.ts'
import { displayStatus, isFinished, isOverBudget } from '../src/rules/progress.ts'
import type { Swarm } from '../src/schema.ts'

test('the cap is lowered by the setting and by the argument, and raised by neither', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }), (configured, asked) => {
      const cap = effectiveCap(configured, asked)
      assert.equal(cap, Math.min(5, configured, asked ?? 5))
    }),
  )
  assert.equal(HARD_CHILD_CAP, 5)
})

test('a child waits for earlier children only', () => {
  checkChildren([{}, { dependsOnIndexes: [0] }, { dependsOnIndexes: [0, 1] }], 3)
  const wrong: [number[][], string][] = [
    [[[0]], 'children[0].dependsOnIndexes[0]'],
    [[[], [1]], 'children[1].dependsOnIndexes[0]'],
    [[[], [0, 2], []], 'children[1].dependsOnIndexes[1]'],
  ]
  for (const [indexes, field] of wrong) {
    assert.throws(
      () =>
        checkChildren(
          indexes.map((dependsOnIndexes) => ({ dependsOnIndexes })),
          5,
        ),
      refusal('BAD_REQUEST', field),
    )
  }
  assert.throws(() => checkChildren([{}, {}, {}], 2), refusal('BAD_REQUEST', 'children', /at most 2; got 3/))
})

test('every status of a task is shown as one of five', () => {
  const all = ['paused', 'pending', 'working', 'review', 'done', 'blocked', 'dead_letter'] as const
  assert.deepEqual(all.map(displayStatus), ['paused', 'pending', 'running', 'done', 'done', 'blocked', 'blocked'])
})

const swarm = (fields: Partial<Swarm>): Swarm => ({ status: 'active', tokensSpent: 0, ...fields }) as Swarm

test('a swarm is finished when it is active and each of its children is done or in review', () => {
  const tasks = (...statuses: ('done' | 'review' | 'blocked' | 'working')[]) => statuses.map((status) => ({ status }))
  assert.equal(isFinished(swarm({}), tasks('done', 'review')), true)
  assert.equal(isFinished(swarm({}), tasks('done', 'working')), false)
  assert.equal(isFinished(swarm({}), tasks('done', 'blocked')), false)
  assert.equal(isFinished(swarm({}), []), false)
  for (const status of ['planning', 'paused', 'stopped', 'done'] as const) assert.equal(isFinished(swarm({ status }), tasks('done')), false)
})

test('the budget is met at the budget, not before it, and never without one', () => {
  assert.equal(isOverBudget({ tokensSpent: 99, tokenBudget: 100 }), false)
  assert.equal(isOverBudget({ tokensSpent: 100, tokenBudget: 100 }), true)
  assert.equal(isOverBudget({ tokensSpent: 1e9 }), false)
})
