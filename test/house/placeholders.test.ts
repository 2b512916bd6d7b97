import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../scripts/workspaces.mjs'
import { placeholdersIn } from './placeholders.ts'

test('no family has a sentence that the scaffold left for its author to write', () => {
  for (const folder of ['plugins', 'examples', 'test/catalogue', 'docs/reference'])
    assert.deepEqual(placeholdersIn(root, join(root, folder)), [])
})
