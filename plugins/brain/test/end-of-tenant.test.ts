import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defineJob, definePlugin, externalData } from '@gateway/sdk'
import { commit, start } from './support.ts'

const counts: number[] = []
const remover = definePlugin({
  id: 'remover',
  sdk: '^1.0.0',
  description: 'Removes what a tenant has outside the store.',
  jobs: [
    defineJob('remover.run', {
      everySeconds: 86_400,
      uses: { outside: externalData },
      async run({ outside }, { tenantId }) {
        if (tenantId !== 'local') return
        for (const { count, remove } of outside) {
          counts.push(await count('acme'))
          await remove('acme')
          await remove('acme')
          counts.push(await count('acme'))
        }
      },
    }),
  ],
})

test('a tenant’s repository goes with the tenant, and no other’s', async () => {
  await using gateway = await start({ plugins: [remover] })
  await commit(gateway)
  await commit(gateway, {}, { as: { tenantId: 'acme' } })
  const there = () =>
    readdirSync(join(gateway.dataDir, 'brains'))
      .filter((name) => name.endsWith('.git'))
      .sort()
  assert.deepEqual(there(), ['acme.git', 'local.git'])
  // A repository whose creation was killed leaves this folder.
  mkdirSync(join(gateway.dataDir, 'brains', 'acme.git.new-17'))
  await gateway.runJob('remover.run')
  assert.deepEqual(counts, [1, 0])
  assert.deepEqual(there(), ['local.git'])
  assert.ok(!existsSync(join(gateway.dataDir, 'brains', 'acme.git.new-17')))
})
