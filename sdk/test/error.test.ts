import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonErrors, defineError, isToolError, NotFound, ToolError, Type } from '@gateway/sdk'

const TaskWorking = defineError('TASK_WORKING', {
  status: 409,
  description: 'The task is being worked on; wait until it is not.',
  details: Type.Object({ taskId: Type.String() }),
  message: ({ taskId }) => `Task ${taskId} is working.`,
})

test('a declared error makes errors, and is its own entry in the catalogue', () => {
  const error = TaskWorking({ taskId: 'task-1' })
  assert.ok(error instanceof ToolError)
  assert.equal(error.code, 'TASK_WORKING')
  assert.equal(error.status, 409)
  assert.equal(error.message, 'Task task-1 is working.')
  assert.deepEqual(error.details, { taskId: 'task-1' })
  assert.equal(TaskWorking.code, 'TASK_WORKING')
  assert.equal(TaskWorking.status, 409)
  assert.match(TaskWorking.description, /being worked on/)
})

test('the details are typed', () => {
  // @ts-expect-error `taskId` is missing
  assert.throws(() => TaskWorking())
  // @ts-expect-error `taskId` is a string
  TaskWorking({ taskId: 1 })
})

test('an error of another copy of the SDK is recognised', async () => {
  const other = (await import(`../src/error.ts?${'second-copy'}`)) as typeof import('../src/error.ts')
  const error = other.NotFound({ what: 'task', id: 'task-1' })
  assert.equal(error instanceof ToolError, false, 'the copies must be two')
  assert.equal(isToolError(error), true)
  assert.equal(other.isToolError(NotFound({ what: 'task', id: 'task-1' })), true)
})

test('nothing else is taken for one, whatever its shape', () => {
  for (const thing of [new Error('x'), { code: 'NOT_FOUND', status: 404, message: 'x' }, null, undefined, 'NOT_FOUND', TaskWorking]) {
    assert.equal(isToolError(thing), false)
  }
})

test('the common codes are those every tool may throw', () => {
  assert.deepEqual(
    commonErrors.map(({ code, status }) => `${code} ${status}`),
    ['BAD_REQUEST 400', 'NOT_FOUND 404', 'CONFLICT 409', 'FORBIDDEN 403', 'UNAVAILABLE 503', 'SWITCHED_OFF 403', 'INPUT_UNAVAILABLE 422'],
  )
  assert.equal(NotFound({ what: 'task', id: 'a"b' }).message, 'No task with id "a\\"b" in this tenant.')
})
