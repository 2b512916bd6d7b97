import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../src/index.ts'

test('what is undefined is left out; every other value stays, also one that counts for nothing', () => {
  const asked: { a?: number; b: string | undefined; c: null; d: boolean; e: string } = { b: undefined, c: null, d: false, e: '' }
  assert.deepEqual(defined(asked), { c: null, d: false, e: '' })
  const typed: { readonly a?: number; readonly b?: string; readonly d?: boolean } = defined(asked)
  assert.equal('b' in typed, false)
})
