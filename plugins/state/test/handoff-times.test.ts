import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACME, start } from './support.ts'

test('repos_priority knows when a repo was handed over last, for a tenant without files too', async () => {
  await using set = await start()
  await set.gateway.call('repos_upsert', { name: 'shop' }, ACME)
  const ranked = async () => (await set.gateway.call('repos_priority', {}, ACME)).repos[0]
  assert.equal((await ranked()).lastHandoff, null)
  await set.gateway.call('handoff_write', { repo: 'shop', content: 'done so far' }, ACME)
  assert.equal((await ranked()).lastHandoff, new Date(set.gateway.clock.now()).toISOString())
  assert.deepEqual((await ranked()).reasons, [])
})
