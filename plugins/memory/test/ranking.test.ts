import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { contents, modelNamed, start, storeAll } from './support.ts'

test('the two chunks before it and the one after help to find a chunk, and no others', async () => {
  await using gateway = await start()
  const said = ['Shall we paint the garage?', 'Which colour?', 'Perhaps.', 'Blue.', 'Done.', 'Lunch?']
  await storeAll(
    gateway,
    said.map((content) => ({ content, sessionId: 's' })),
  )
  const found = (query: string) => contents(gateway, { query })
  assert.deepEqual((await found('garage')).sort(), ['Perhaps.', 'Shall we paint the garage?', 'Which colour?'])
  assert.deepEqual((await found('blue')).sort(), ['Blue.', 'Done.', 'Lunch?', 'Perhaps.'])
})

test('what is stored again does not change what is found by its neighbours', async () => {
  await using gateway = await start()
  const session = ['Shall we paint the garage?', 'Blue.', 'Done.'].map((content) => ({ content, sessionId: 's' }))
  await storeAll(gateway, [...session, ...session])
  const around = async () => (await gateway.documents()).memory?.map((record) => (record as { around?: string }).around)
  const before = await around()
  await storeAll(gateway, session)
  assert.deepEqual(await around(), before)
})

test('a tag is found by its words, and is matched as it is written', async () => {
  await using gateway = await start()
  await storeAll(gateway, [{ content: 'Twenty connections at most.', tags: ['pool-size', 'postgres'] }, { content: 'Something else.' }])
  assert.deepEqual(await contents(gateway, { query: 'size of the Postgres pool' }), ['Twenty connections at most.'])
  assert.deepEqual(await contents(gateway, { tags: ['pool'] }), [])
})

test('a day is found however it is written', async () => {
  await using gateway = await start()
  const [iso, spoken] = ['[2023-05-08] Ada: the roof is done.', '[9 May, 2023] Ben: the door is done.']
  await storeAll(gateway, [{ content: iso }, { content: spoken }])
  assert.equal((await contents(gateway, { query: 'What was done on the 8th of May? On 8 May?' }))[0], iso)
  assert.equal((await contents(gateway, { query: 'done on 2023-05-08' }))[0], iso)
  assert.equal((await contents(gateway, { query: 'done on 2023-05-09' }))[0], spoken)
  assert.equal((await contents(gateway, { query: 'What about May?' })).length, 2)
  assert.deepEqual(await contents(gateway, { query: 'May I ask what may be?' }), [])
})

test('what asks stands below what tells the like', async () => {
  await using gateway = await start()
  await storeAll(gateway, [{ content: 'Where did the ferry stop last night?' }, { content: 'Last night the ferry did stop in Kiel.' }])
  assert.equal((await contents(gateway, { query: 'Where did the ferry stop last night?' }))[0], 'Last night the ferry did stop in Kiel.')
})

test('a phrase or an identifier is met among many chunks that have its words more often', async () => {
  await using gateway = await start()
  const [phrase, path] = [
    'It was, after all that had been thought of it, a late heartbeat.',
    'See plugins/leases/src/leaseReaper.ts for all the rest of that story.',
  ]
  await storeAll(gateway, [
    ...Array.from({ length: 70 }, (_, i) => ({ content: `heartbeat late late, heartbeat: late ${i}` })),
    ...Array.from({ length: 70 }, (_, i) => ({ content: `lease reaper, reaper of a lease, lease reaper ${i}` })),
    { content: phrase },
    { content: path },
  ])
  assert.equal((await contents(gateway, { query: 'heartbeats "late heartbeat" late' }))[0], phrase)
  assert.equal((await contents(gateway, { query: 'lease reaper in leaseReaper.ts reaper' }))[0], path)
})

test('no boost lifts what resembles an identifier above what holds it', async () => {
  await using gateway = await start({ config: { memory: { recencyBoost: 1, repoBoost: 1 } } })
  await gateway.call('memory_store', { content: 'Of E4711 nothing is known, although it was asked for in a long and winding text.' })
  gateway.clock.advance(400 * 86_400)
  const words = 'Grace saw the failure of the ledger import in Kiel'
  await gateway.call('memory_store', { content: words })
  const [first, second] = await contents(gateway, { query: `${words}, was it E4711 or E4712?` })
  assert.match(first as string, /E4711/)
  assert.equal(second, words)
})

test('what the words found is compared by its vector too, though many others are nearer', async () => {
  await using gateway = await start({ plugins: [modelNamed('one')] })
  // These words are not searched for, but have a place in a vector.
  await storeAll(gateway, [
    ...Array.from({ length: 100 }, (_, i) => ({ content: `Where is the of ${i}` })),
    { content: 'The ledger house, bricks, mortar, windows, doors.' },
  ])
  // Runs in the background, without the job: the last store wakes the embedder too.
  while ((await gateway.call('memory_stats')).embedded < 101) await yieldToEventLoop()
  const [best] = (await gateway.call('memory_search', { query: 'Where is the ledger of the house' })).results
  assert.match(best.content, /^The ledger house/)
  assert.deepEqual(best.foundBy, ['words'])
  // A score by words alone would be little more than a half.
  assert.ok(best.score > 0.7, String(best.score))
})
