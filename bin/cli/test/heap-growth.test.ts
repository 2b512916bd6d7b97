import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('a service collects garbage before its heap is three times what is alive', () => {
  const program = join(import.meta.dirname, 'churning-program.ts')
  const { times } = JSON.parse(execFileSync(process.execPath, [...process.execArgv, '--expose-gc', program], { encoding: 'utf8' }))
  assert.ok(times < 3, `the heap had ${times} times what is alive`)
})
