import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { storesFolder } from '../../bench/stores-folder.ts'

test('bench --dir creates its folder where it does not exist', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-dir-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const parent = join(folder, 'not', 'yet')
  const first = storesFolder(parent)
  assert.equal(statSync(first).isDirectory(), true)
  assert.equal(dirname(first), parent)
  assert.notEqual(storesFolder(parent), first)
})
