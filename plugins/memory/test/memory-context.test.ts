import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, storeAll } from './support.ts'

const known = [
  { content: 'Migration of the ledger is half done.', repo: 'api', source: 'state' },
  { content: 'Next: finish the migration of the ledger.', repo: 'api', source: 'handoff' },
  { content: 'Migrate in small steps.', source: 'pattern' },
  { content: 'Ledger bug: rounding.', repo: 'api', source: 'bug' },
  { content: 'Other repo state.', repo: 'web', source: 'state' },
]

test('one Markdown block holds the recent state, the handoff and patterns; those of no repo too', async () => {
  await using gateway = await start()
  await storeAll(gateway, known)
  const { context, chunks, mode, truncated } = await gateway.call('memory_context', { repo: 'api' })
  assert.match(
    context,
    /^# Memory of api\n\n## State\n[\s\S]*half done[\s\S]*\n## Handoff\n[\s\S]*finish[\s\S]*\n## Patterns\n[\s\S]*small steps/,
  )
  assert.ok(!context.includes('Other repo'))
  assert.deepEqual([chunks, mode, truncated], [3, 'latest', false])
})

test('a query focuses the block, and adds what is related', async () => {
  await using gateway = await start()
  await storeAll(gateway, [...known, { content: 'Unrelated state of the weather.', repo: 'api', source: 'state' }])
  const { context, mode } = await gateway.call('memory_context', { repo: 'api', query: 'ledger migration' })
  assert.ok(!context.includes('weather'))
  assert.match(context, /## Related\n[\s\S]*rounding/)
  assert.equal(mode, 'lexical')
})

test('the limit counts chunks of each source, five unless given, the newest first', async () => {
  await using gateway = await start()
  for (let i = 0; i < 7; i++) {
    await storeAll(gateway, [
      { content: `state ${i}`, repo: 'r', source: 'state' },
      { content: `handoff ${i}`, repo: 'r', source: 'handoff' },
    ])
    gateway.clock.advance(60)
  }
  const { context, chunks } = await gateway.call('memory_context', { repo: 'r' })
  assert.equal(chunks, 10)
  assert.ok(context.indexOf('state 6') < context.indexOf('state 5') && !context.includes('state 1'))
  assert.equal((await gateway.call('memory_context', { repo: 'r', limit: 1 })).chunks, 2)
})

test('nothing known is an empty block', async () => {
  await using gateway = await start()
  assert.equal((await gateway.call('memory_context', { repo: 'none' })).context, '')
})

test('headings of what is remembered stand below those of the block, but for those in code', async () => {
  await using gateway = await start()
  await storeAll(gateway, [{ content: '# Title\n\n```sh\n# a comment\n```', repo: 'r', source: 'state' }])
  assert.match((await gateway.call('memory_context', { repo: 'r' })).context, /\n#### Title\n\n```sh\n# a comment\n```/)
})

test('over REST a query is needed, and maxTokens bounds the block', async () => {
  await using gateway = await start()
  await storeAll(
    gateway,
    Array.from({ length: 20 }, (_, i) => ({ content: `ledger ${i} ${'and more '.repeat(50)}`, source: 'state', tags: ['t'] })),
  )
  const post = async (body: object) => {
    const response = await gateway.inject({ method: 'POST', url: '/api/memory/context', body })
    return { status: response.status, body: response.json() }
  }
  assert.equal((await post({})).status, 400)
  for (const maxTokens of [1, 20, 300]) {
    const { body } = await post({ query: 'ledger', maxTokens, tags: ['t'] })
    assert.ok(body.context.length <= maxTokens * 4, `${body.context.length} characters of ${maxTokens} tokens`)
    assert.equal(body.truncated, true)
  }
  assert.equal((await post({ query: 'ledger', tags: ['other'] })).body.context, '')
})
