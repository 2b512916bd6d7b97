import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import embeddings from '@gateway/plugin-embeddings'
import { commit, start } from './support.ts'

const models = process.env.TEST_MODEL_DIR
const library = join(import.meta.dirname, '../../embeddings/runtime/node_modules/@xenova/transformers')
const needsModel =
  models === undefined || !existsSync(library) ? { skip: 'needs the model of GATEWAY_MODEL_DIR and npm run embeddings:install' } : {}

test('atoms are found by their meaning, each retrieval is an arm of its own, and brain_lookup goes by it', needsModel, async () => {
  await using gateway = await start({ plugins: [embeddings], env: { GATEWAY_MODEL_DIR: models as string, BRAIN_LOOKUP_EMBED: '1' } })
  await commit(gateway, { slug: 'cat', topic: 'docs', content: 'The cat sleeps on the sofa all day.' })
  await commit(gateway, { slug: 'money', topic: 'cost-policy', content: 'Invoices are sent on the first of the month.' })
  while (((await gateway.documents())['memory.vectors'] ?? []).length < 2) await delay(10)
  const query = 'a pet resting on furniture'
  const { hits } = await hybrid(() => gateway.call('brain_search', { query }))
  assert.equal(hits[0].atom.slug, 'cat')
  const found = await hybrid(() => gateway.call('memory_search', { query, source: 'brain' }))
  assert.deepEqual([found.results[0].title, found.results[0].foundBy], [hits[0].title, ['vectors']])
  assert.equal((await gateway.call('brain_lookup', { query })).topic, 'docs')
  const { arms } = await gateway.call('brain_bandit_stats')
  assert.ok(JSON.stringify(arms).includes('"vectors"'))
})

/** A search continues without a model that answers slowly; this one is tried again. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
async function hybrid(search: () => Promise<any>): Promise<any> {
  for (;;) {
    const found = await search()
    if (found.mode === 'hybrid') return found
  }
}
