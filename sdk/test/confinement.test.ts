import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confinedArguments } from '../src/confinement.ts'

const confinement = { tasks_update: { fixed: { taskId: 'task-1' }, free: ['notes'] } }
const confined = (operation: string, args: unknown) => confinedArguments(confinement, operation, args)

test('fixed arguments are filled in, and free ones pass', () => {
  assert.deepEqual(confined('tasks_update', { notes: 'x' }), { notes: 'x', taskId: 'task-1' })
  assert.deepEqual(confined('tasks_update', { taskId: 'task-1' }), { taskId: 'task-1' })
  assert.deepEqual(confined('tasks_update', undefined), { taskId: 'task-1' })
})

const beyond: readonly [string, string, unknown][] = [
  ['another operation', 'tasks_delete', {}],
  ['an inherited name', 'constructor', {}],
  ['another value of a fixed argument', 'tasks_update', { taskId: 'task-2' }],
  ['a fixed argument of another type', 'tasks_update', { taskId: ['task-1'] }],
  ['null for a fixed argument', 'tasks_update', { taskId: null }],
  ['another argument', 'tasks_update', { status: 'done' }],
  ['an argument with an inherited name', 'tasks_update', { toString: 'x' }],
]
for (const [what, operation, args] of beyond) {
  test(`${what} is refused`, () => {
    assert.throws(() => confined(operation, args), { code: 'FORBIDDEN' })
  })
}

for (const args of ['{"status": "done"}', ['x'], 7]) {
  test(`arguments that are no object are refused: ${JSON.stringify(args)}`, () => {
    assert.throws(() => confined('tasks_update', args), { code: 'BAD_REQUEST' })
  })
}
