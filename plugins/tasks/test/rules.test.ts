import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { backoffSeconds, clampDefer } from '../src/rules/backoff.ts'
import { admitBlock } from '../src/rules/block-window.ts'
import { difference } from '../src/rules/difference.ts'
import { cancellationNote, withNote } from '../src/rules/notes.ts'
import { resolveReferences } from '../src/rules/references.ts'
import { audience, localName } from '../src/rules/stage.ts'
import type { Task } from '../src/schema.ts'

describe('backoff', () => {
  test('5 m, doubled with each retry, never more than 6 h, for any number of retries', () => {
    assert.deepEqual([0, 1, 2, 3, 6, 7, 2_000].map(backoffSeconds), [300, 600, 1_200, 2_400, 19_200, 21_600, 21_600])
  })

  test('a defer lies within 0 and 6 h, and is what was asked for where that does', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (seconds) => {
        const clamped = clampDefer(seconds)
        assert.ok(clamped >= 0 && clamped <= 21_600)
        if (seconds >= 0 && seconds <= 21_600) assert.ok(clamped === seconds)
      }),
    )
  })
})

describe('the window of the bulk-block guard', () => {
  test('any window of its length sees at most the threshold, and a block within it is refused only for that', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 })
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: 6 }), (gaps, threshold) => {
        const admitted: number[] = []
        let times: string[] = []
        let now = Date.parse('2026-01-05T09:00:00.000Z')
        for (const gap of gaps) {
          now += gap * 1000
          const recent = admitted.filter((time) => time > now - 15 * 60_000).length
          const next = admitBlock(times, { threshold, windowMinutes: 15 }, new Date(now))
          assert.equal(next !== undefined, recent < threshold)
          if (!next) continue
          times = next
          admitted.push(now)
          assert.ok(times.length <= threshold)
        }
      }),
    )
  })
})

describe('notes', () => {
  test('a line is added below, and the whole is bounded by dropping the oldest', () => {
    assert.equal(withNote(undefined, 'a'), 'a')
    assert.equal(withNote('', 'a'), 'a')
    assert.equal(withNote('a', 'b'), 'a\nb')
    const long = withNote('x'.repeat(50_000), 'the end')
    assert.deepEqual([long.length, long.endsWith('x\nthe end')], [50_000, true])
    const cut = withNote('🚀'.repeat(25_000), 'ok')
    assert.deepEqual([cut.length, cut.startsWith('🚀')], [49_999, true])
  })

  test('a cancellation says by what and why, as far as is known', () => {
    assert.equal(cancellationNote(undefined, undefined), 'Cancelled.')
    assert.equal(cancellationNote('late', undefined), 'Cancelled: late')
    assert.equal(cancellationNote(undefined, 'task-1'), 'Cancelled, superseded by task-1.')
    assert.equal(cancellationNote('late', 'task-1'), 'Cancelled, superseded by task-1: late')
  })
})

describe('local models', () => {
  test('local/name, local:name and name are one model; other models are none', () => {
    assert.deepEqual(['local/a', 'local:a', 'a', 'x/local/a'].map(localName), ['a', 'a', 'a', 'x/local/a'])
  })

  test('only a local model that is no preference pins', () => {
    assert.equal(audience({ recommendedModel: 'local/a' }), 'a')
    assert.equal(audience({ recommendedModel: 'local:a', recommendedModelPreference: false }), 'a')
    assert.equal(audience({ recommendedModel: 'local/a', recommendedModelPreference: true }), '*')
    assert.equal(audience({ recommendedModel: 'a' }), '*')
    assert.equal(audience({ recommendedModel: 'localhost' }), '*')
    assert.equal(audience({}), '*')
  })
})

describe('references', () => {
  test('only $ and a number is a reference, and every one is replaced', () => {
    const created = new Map([
      [0, 'task-a'],
      [12, 'task-b'],
    ])
    const resolve = (operation: object) => resolveReferences(operation, created)
    assert.deepEqual(resolve({ taskId: '$0', supersededBy: '$12', dependsOn: ['$12', '$$0', '$0x', '0', '$0'] }), {
      taskId: 'task-a',
      supersededBy: 'task-b',
      dependsOn: ['task-b', '$$0', '$0x', '0', 'task-a'],
    })
    assert.deepEqual(resolve({ notes: '$0' }), { notes: '$0' })
    assert.throws(() => resolve({ supersededBy: '$1' }), { code: 'UNKNOWN_REFERENCE', details: { field: 'supersededBy', reference: '$1' } })
  })
})

describe('difference', () => {
  test('applied to the first it gives the second, and there is none between equals', () => {
    const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.oneof(fc.integer(), fc.array(fc.string(), { maxLength: 2 })))
    fc.assert(
      fc.property(fields, fields, (before, after) => {
        const update = difference(before as unknown as Task, after as unknown as Task)
        const next: Record<string, unknown> = { ...before, ...update?.set }
        for (const field of update?.unset ?? []) delete next[field]
        assert.deepEqual(next, { ...after })
        assert.equal(difference(after as unknown as Task, structuredClone(after) as unknown as Task), undefined)
      }),
    )
  })
})
