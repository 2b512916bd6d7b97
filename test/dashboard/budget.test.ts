import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { BUDGET, buildClient } from '../../scripts/dashboard.mjs'

test('the dashboard stays small: its shell, all of its scripts and its style each within their budget', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-dashboard-'))
  try {
    const sizes = await buildClient(folder)
    for (const part of ['shell', 'scripts', 'style'] as const)
      assert.ok(sizes[part] <= BUDGET[part], `${part} has ${sizes[part]} bytes of gzip; it may have ${BUDGET[part]}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
