import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import wabt from 'wabt'
import { SCAN } from '../src/rules/arena.ts'

test('the embedded program for scanning vectors is scan.wat, assembled', async () => {
  const { parseWat } = await wabt()
  const source = readFileSync(join(import.meta.dirname, '../src/rules/scan.wat'), 'utf8')
  const assembled = parseWat('scan.wat', source, { simd: true })
  try {
    assembled.validate()
    assert.equal(Buffer.from(assembled.toBinary({}).buffer).toString('base64'), SCAN)
  } finally {
    assembled.destroy()
  }
})
