import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ObjectId } from 'mongodb'
import { changeOf } from '../src/change.ts'

test('a change names its document with its tenant, by which a sharded cluster finds it', () => {
  const stored = { _id: new ObjectId(), t: 'acme', r: 3, d: { id: 'a', n: 1 } }
  for (const serverTimes of [true, false]) {
    const { filter } = changeOf(stored, 'id', { inc: { n: 1 } }, undefined, 0, serverTimes)
    assert.deepEqual(filter, { _id: stored._id, t: 'acme', r: 3 })
  }
})
