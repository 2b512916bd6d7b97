import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadRequest, NotFound, Unavailable } from '@gateway/sdk'
import { refusal } from '@gateway/testing'

const wrong = BadRequest({ message: 'limit must be at least 1', field: 'limit' })
const missing = NotFound({ what: 'task', id: 'task-1' })
const off = Unavailable({ message: 'Set X_URL.', setting: 'X_URL' })

test('an error of this code, field or setting, and text is a refusal', async () => {
  await assert.rejects(Promise.reject(wrong), refusal('BAD_REQUEST', 'limit'))
  await assert.rejects(Promise.reject(wrong), refusal('BAD_REQUEST', 'limit', /at least 1/))
  await assert.rejects(Promise.reject(missing), refusal('NOT_FOUND'))
  await assert.rejects(Promise.reject(off), refusal('UNAVAILABLE', 'X_URL'))
})

test('one of another code, of another field or none, or that says something else is not', () => {
  assert.throws(() => refusal('CONFLICT', 'limit')(wrong), assert.AssertionError)
  assert.throws(() => refusal('BAD_REQUEST', 'offset')(wrong), assert.AssertionError)
  assert.throws(() => refusal('BAD_REQUEST')(wrong), assert.AssertionError)
  assert.throws(() => refusal('NOT_FOUND', 'taskId')(missing), assert.AssertionError)
  assert.throws(() => refusal('BAD_REQUEST', 'limit', /at most/)(wrong), assert.AssertionError)
  assert.throws(() => refusal('BAD_REQUEST')('not even an error'), /not even an error/)
})
