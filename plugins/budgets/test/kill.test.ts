import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fromSources } from '../../../scripts/typescript/options.mjs'
import { start } from './support.ts'

test('after SIGKILL every acknowledged spend is there, and sums and rows say the same', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'budgets-'))
  try {
    const acknowledged: string[] = []
    const child = spawn(process.execPath, [...fromSources, join(import.meta.dirname, 'spend-and-die.ts'), dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let rest = ''
    child.stdout.on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      acknowledged.push(...lines)
      if (acknowledged.length >= 200) child.kill('SIGKILL')
    })
    await new Promise((resolve) => child.once('close', resolve))
    assert.ok(acknowledged.length >= 200)
    await using gateway = await start({}, { dataDir })
    const rows = (await gateway.documents())['budgets.spend'] as { callId: string; nanos: number }[]
    const kept = new Set(rows.map(({ callId }) => callId))
    assert.deepEqual(
      acknowledged.filter((callId) => !kept.has(callId)),
      [],
    )
    const { monthToDateUsd } = await gateway.call('budgets_status')
    assert.equal(
      Math.round(monthToDateUsd * 1e9),
      rows.reduce((sum, { nanos }) => sum + nanos, 0),
    )
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
