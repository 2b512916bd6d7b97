import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../scripts/workspaces.mjs'

const page = readFileSync(join(root, 'docs/oauth-requirements.md'), 'utf8')
const rows = [...page.matchAll(/^\| (?!requirement)(.+?) \| `(.+?)` \| (.+?) \|$/gm)].map(([, requirement = '', file = '', name = '']) => ({
  requirement,
  file,
  name,
}))

test('every requirement of OAuth names a test that exists', () => {
  assert.ok(rows.length >= 60, `${rows.length} rows`)
  const missing = rows.filter(({ file, name }) => {
    const path = join(root, file)
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(`test('${name}',`)
  })
  assert.deepEqual(missing, [])
})
