import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CollectionRef, defineCollection, Type } from '@gateway/sdk'
import { ObjectId } from 'mongodb'
import { changeOf } from '../src/change.ts'
import { layoutOf } from '../src/layout.ts'

const things = defineCollection('things', { schema: Type.Object({ id: Type.String(), n: Type.Number() }), key: 'id' })
const layout = layoutOf(things as unknown as CollectionRef)

test('a change names its document with its tenant, by which a sharded cluster finds it', () => {
  const stored = { _id: new ObjectId(), t: 'acme', r: 3, d: { id: 'a', n: 1 } }
  for (const serverTimes of [true, false]) {
    const { filter } = changeOf(stored, layout, { inc: { n: 1 } }, undefined, 0, serverTimes)
    assert.deepEqual(filter, { _id: stored._id, t: 'acme', r: 3 })
  }
})

test('a change keeps the mark of the claim that took its document', () => {
  const c = { by: new ObjectId(), times: { takenAt: '2026-05-05T12:00:00.000Z' } }
  const stored = { _id: new ObjectId(), t: 'acme', r: 3, d: { id: 'a', n: 1 }, c }
  assert.deepEqual((changeOf(stored, layout, { inc: { n: 1 } }, undefined, 0, false).update as { c?: unknown }).c, c)
  const [replace] = changeOf(stored, layout, { inc: { n: 1 } }, undefined, 0, true).update as [
    { $replaceWith: { $mergeObjects: object[] } },
  ]
  assert.deepEqual((replace.$replaceWith.$mergeObjects[1] as { c?: unknown }).c, { $literal: c })
})
