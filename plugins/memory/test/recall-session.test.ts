import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contents, start, storeAll } from './support.ts'

test('five blocks come unless k says otherwise, those that are most like the question first', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    ...Array.from({ length: 8 }, (_, i) => ({ content: `Session ${i} spoke of the ledger.`, sessionId: `s${i}` })),
    { content: 'The ledger was migrated to Postgres.', sessionId: 'told' },
  ])
  const asked = { query: 'migrating the ledger to Postgres' }
  const { count, blocks, mode } = await gateway.call('recall_session', asked)
  assert.deepEqual([count, blocks.length, mode], [5, 5, 'lexical'])
  assert.equal(blocks[0].content, 'The ledger was migrated to Postgres.')
  const scores = blocks.map(({ score }: { score: number }) => score)
  assert.deepEqual(
    scores,
    scores.toSorted((a: number, b: number) => b - a),
  )
  assert.equal((await contents(gateway, { ...asked, k: 7 }, 'recall_session')).length, 7)
})

test('what is of no session is no session block', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'The kiln is hot.' },
    { content: 'The kiln is cold.', sessionId: 's' },
    { content: 'The kiln is broken.', source: 'handoff' },
  ])
  assert.deepEqual((await contents(gateway, { query: 'kiln' }, 'recall_session')).sort(), ['The kiln is broken.', 'The kiln is cold.'])
})

test('a question is needed, and another tenant has none of it', async () => {
  await using gateway = await start()
  await storeAll(gateway, [{ content: 'The kiln is cold.', sessionId: 's' }])
  for (const args of [{}, { query: '' }, { query: ' ' }])
    await assert.rejects(gateway.call('recall_session', args), { code: 'BAD_REQUEST', message: /query/ })
  assert.equal((await gateway.call('recall_session', { query: 'kiln' }, { as: { tenantId: 'other' } })).count, 0)
})

test('an empty day counts as none', async () => {
  await using gateway = await start()
  await storeAll(gateway, [{ content: 'The ledger was migrated.', sessionId: 's1' }])
  assert.equal((await gateway.call('recall_session', { query: 'ledger', since: '' })).count, 1)
})
