import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import embeddings from '@gateway/plugin-embeddings'
import type { TestGateway } from '@gateway/testing'
import { asked, asker, start, storeAll } from './support.ts'

const models = process.env.TEST_MODEL_DIR
const library = join(import.meta.dirname, '../../embeddings/runtime/node_modules/@xenova/transformers')
const needsModel =
  models === undefined || !existsSync(library) ? { skip: 'needs the model of GATEWAY_MODEL_DIR and npm run embeddings:install' } : {}
const withModel = () => start({ plugins: [embeddings, asker], env: { GATEWAY_MODEL_DIR: models as string } })

const notes = [
  { content: 'The cat sleeps on the sofa all day.', repo: 'home' },
  { content: 'Invoices are sent on the first of the month.', repo: 'money' },
  { content: 'The build broke because a certificate had run out.', repo: 'ci' },
]

test('what has no word of the question is found by its meaning, and the answer is hybrid', needsModel, async () => {
  await using gateway = await withModel()
  await storeAll(gateway, notes)
  await embedded(gateway, 3)
  const { mode, results, hint } = await gateway.call('memory_search', { query: 'a pet resting on furniture' })
  assert.deepEqual([mode, hint], ['hybrid', undefined])
  assert.equal(results[0].content, notes[0]?.content)
  assert.deepEqual(results[0].foundBy, ['vectors'])
  const both = (await gateway.call('memory_search', { query: 'why did the build break' })).results[0]
  assert.deepEqual([both.content, both.foundBy], [notes[2]?.content, ['words', 'vectors']])
})

test('vectors keep to the filter, the tenant and the corpus', needsModel, async () => {
  await using gateway = await withModel()
  await storeAll(gateway, notes)
  await asked(gateway, {
    corpus: 'brain',
    method: 'put',
    args: [[{ id: 'a', text: 'A dog lies on the couch.', createdAt: '2026-01-01T00:00:00.000Z' }]],
  })
  await embedded(gateway, 3)
  const query = 'a pet resting on furniture'
  const narrowed = (await gateway.call('memory_search', { query, repo: 'money' })).results
  assert.ok(narrowed.every(({ repo }: { repo: string }) => repo === 'money'))
  assert.equal((await gateway.call('memory_search', { query }, { as: { tenantId: 'other' } })).count, 0)
  const { hits } = await asked(gateway, { corpus: 'brain', method: 'search', args: [{ query }] })
  assert.deepEqual(
    hits.map(({ id }: { id: string }) => id),
    ['a'],
  )
})

test('what was stored without a model is embedded once there is one, and an unchanged chunk never again', needsModel, async () => {
  await using without = await start({ plugins: [asker] })
  await storeAll(without, notes)
  await without.runJob('memory.embed')
  assert.deepEqual([(await without.call('memory_stats')).embedded, (await without.documents())['memory.vectors'] ?? []], [0, []])
  await using gateway = await withModel()
  await storeAll(gateway, notes)
  await embedded(gateway, 3)
  const before = (await gateway.documents())['memory.vectors']
  await storeAll(gateway, notes)
  await gateway.runJob('memory.embed')
  assert.deepEqual((await gateway.documents())['memory.vectors'], before)
})

test('vectors are there after a restart, and those of what is removed are gone', needsModel, async () => {
  await using gateway = await withModel()
  await storeAll(gateway, notes)
  const ask = (method: string, ...args: unknown[]) => asked(gateway, { method, args })
  await ask('replaceOrigin', 'files:a', [{ markdown: 'A puppy on the armchair.', source: 'state', cut: 'headings' }])
  await embedded(gateway, 4)
  await gateway.restart()
  const found = async (): Promise<string[]> => {
    const { mode, results } = await gateway.call('memory_search', { query: 'a pet resting on furniture' })
    // A search does not wait for a model that is slow to start.
    return mode === 'hybrid' ? results.map(({ content }: { content: string }) => content) : found()
  }
  assert.ok((await found()).includes('A puppy on the armchair.'))
  await ask('replaceOrigin', 'files:a', [])
  assert.ok(!(await found()).includes('A puppy on the armchair.'))
  assert.equal((await gateway.documents())['memory.vectors']?.length, 3)
})

/** Embedding continues in the background. */
async function embedded(gateway: TestGateway, count: number): Promise<void> {
  while ((await gateway.call('memory_stats')).embedded < count || (await waits(gateway))) {
    await gateway.runJob('memory.embed')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function waits(gateway: TestGateway): Promise<boolean> {
  return ((await gateway.documents()).memory ?? []).some((record) => 'pending' in record)
}
