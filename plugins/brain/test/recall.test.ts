import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { searchCorpus } from '../src/api.ts'
import { commit, DAY, start, type TestGateway } from './support.ts'

const names = (found: readonly { name: string }[]): string[] => found.map(({ name }) => name)

async function talk(gateway: TestGateway): Promise<void> {
  await commit(gateway, { slug: 'a', content: '# A\n\n@ada changed src/pay/invoice.ts for feature:billing.\nDecision: send monthly' })
  gateway.clock.advance(DAY)
  await commit(gateway, { slug: 'b', content: '# B\n\n@ada and @bob: src/pay/invoice.ts again, feature:billing' })
  gateway.clock.advance(DAY)
  await commit(gateway, { slug: 'c', repo: 'app', content: '# C\n\n@cyd draws ui/button.tsx, #design' })
}

test('brain_entity: records with timestamped touches; without query what was touched last', async () => {
  await using gateway = await start()
  await talk(gateway)
  const { entities, atomsScanned } = await gateway.call('brain_entity', { query: 'INVOICE' })
  assert.equal(atomsScanned, 3)
  assert.deepEqual(
    entities.map(({ name, kind, touchCount, firstAt, lastAt }: Record<string, unknown>) => ({ name, kind, touchCount, firstAt, lastAt })),
    [{ name: 'src/pay/invoice.ts', kind: 'file', touchCount: 2, firstAt: '2026-01-05T09:00:00.000Z', lastAt: '2026-01-06T09:00:00.000Z' }],
  )
  assert.equal(entities[0].touches[0].repo, 'web')
  const all = await gateway.call('brain_entity')
  assert.equal(names(all.entities)[0], 'app')
  assert.deepEqual(names((await gateway.call('brain_entity', { kind: 'person' })).entities), ['cyd', 'ada', 'bob'])
  assert.deepEqual(names((await gateway.call('brain_entity', { kind: 'decision' })).entities), ['send monthly'])
  assert.deepEqual(names((await gateway.call('brain_entity', { kind: 'feature' })).entities), ['design', 'billing'])
  assert.deepEqual(names((await gateway.call('brain_entity', { repo: 'app', kind: 'file' })).entities), ['ui/button.tsx'])
  await assert.rejects(gateway.call('brain_entity', { kind: 'planet' }), refusal('BAD_REQUEST', 'kind'))
})

test('the limits of brain_entity: 20 entities, 25 touches, 800 atoms, and cut at 200, 200 and 5,000', async () => {
  await using gateway = await start()
  for (let n = 0; n < 30; n++) await commit(gateway, { slug: `s${n}`, content: `@p${n} @all` })
  assert.equal((await gateway.call('brain_entity', { kind: 'person' })).entities.length, 20)
  assert.equal((await gateway.call('brain_entity', { kind: 'person', limit: 9_999 })).entities.length, 31)
  const [all] = (await gateway.call('brain_entity', { query: 'all' })).entities
  assert.deepEqual([all.touches.length, all.touchCount], [25, 30])
  assert.equal((await gateway.call('brain_entity', { query: 'all', touchLimit: 9_999 })).entities[0].touches.length, 30)
  assert.equal((await gateway.call('brain_entity', { atomLimit: 3 })).atomsScanned, 3)
  assert.equal((await gateway.call('brain_entity', { atomLimit: 99_999 })).atomsScanned, 30)
})

test('brain_timeline: touches newest first, with the first and the last, from a UTC stamp on', async () => {
  await using gateway = await start()
  await talk(gateway)
  const line = await gateway.call('brain_timeline', { entity: 'Ada' })
  assert.deepEqual(
    line.touches.map(({ title }: { title: string }) => title),
    ['B', 'A'],
  )
  assert.deepEqual([line.firstTouched, line.lastTouched], ['2026-01-05T09:00:00.000Z', '2026-01-06T09:00:00.000Z'])
  assert.equal((await gateway.call('brain_timeline', { entity: 'ada', since: '20260106T000000Z' })).touches.length, 1)
  assert.equal((await gateway.call('brain_timeline', { entity: 'ada', kind: 'file' })).touches.length, 0)
  assert.deepEqual(await gateway.call('brain_timeline', { entity: 'nobody' }), { entity: 'nobody', touches: [], touchCount: 0 })
  for (const since of ['2026-01-06', '20261399T000000Z'])
    await assert.rejects(gateway.call('brain_timeline', { entity: 'x', since }), refusal('BAD_REQUEST', 'since'))
})

test('brain_communities: entities that are spoken of together, as themes', async () => {
  await using gateway = await start()
  await talk(gateway)
  const { communities } = await gateway.call('brain_communities')
  assert.equal(communities.length, 2)
  assert.deepEqual([communities[0].atoms, communities[0].repos], [2, ['web']])
  assert.deepEqual(names(communities[1].entities).sort(), ['cyd', 'design', 'ui/button.tsx'])
  assert.equal((await gateway.call('brain_communities', { minSize: 4 })).communities.length, 1)
  assert.equal((await gateway.call('brain_communities', { query: 'button' })).communities.length, 1)
  assert.equal((await gateway.call('brain_communities', { limit: 1 })).communities.length, 1)
})

test('brain_search: one ranked list over atoms and the corpora of others; since is theirs alone', async () => {
  const asked: object[] = []
  const corpus = definePlugin({
    id: 'sessions',
    sdk: '^1.0.0',
    description: 'A corpus that a test adds to the search.',
    contributes: [
      contribute(searchCorpus, {
        create: () => ({
          name: 'sessions',
          async search(query) {
            asked.push(query)
            return [{ score: 7, title: 'Old talk', text: 'invoice', at: '2025-01-01T00:00:00.000Z', id: 'chunk-1' }]
          },
        }),
      }),
    ],
  })
  await using gateway = await start({ plugins: [corpus] })
  await talk(gateway)
  const found = await gateway.call('brain_search', { query: 'invoice', since: '2027-01-01', k: 2 })
  assert.deepEqual(found.corpora, { brain: 2, memory: 0, sessions: 1 })
  assert.deepEqual([found.hits.length, found.truncated], [2, true])
  assert.deepEqual(found.hits.map(({ corpus }: { corpus: string }) => corpus).sort(), ['brain', 'sessions'])
  assert.deepEqual(asked, [{ query: 'invoice', repo: undefined, since: '2027-01-01', limit: 2 }])
  for (const since of ['2026-13-45', '2026-02-30'])
    await assert.rejects(gateway.call('brain_search', { query: 'x', since }), refusal('BAD_REQUEST', 'since'))
  assert.equal((await gateway.call('brain_search', { query: 'ada', repo: 'app' })).corpora.brain, 0)
})

test('brain_search finds past sessions of memory beside the atoms; since leaves out those that are older', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'a', content: 'The lighthouse is white.' })
  await gateway.call('memory_store', { content: 'We painted the lighthouse red.', sessionId: 'session-1' })
  await gateway.call('memory_store', { content: 'A lighthouse that no session spoke of.' })
  const found = await gateway.call('brain_search', { query: 'lighthouse' })
  assert.deepEqual(found.corpora, { brain: 1, memory: 1 })
  assert.match(found.hits.find(({ corpus }: { corpus: string }) => corpus === 'memory').text, /painted/)
  assert.deepEqual((await gateway.call('brain_search', { query: 'lighthouse', since: '2030-01-01' })).corpora, { brain: 1, memory: 0 })
})

test('brain_search says when more was found than it returns', async () => {
  await using gateway = await start()
  const truncated = async (args: object) => (await gateway.call('brain_search', { query: 'lighthouse', ...args })).truncated
  for (const colour of ['white', 'red', 'green']) {
    await commit(gateway, { slug: colour, content: `The lighthouse is ${colour}.` })
    await gateway.call('memory_store', { content: `The old lighthouse was ${colour}.`, sessionId: 'session-1' })
  }
  assert.deepEqual(await Promise.all([{}, { k: 6 }, { k: 5 }, { k: 1 }, { atomLimit: 3 }, { atomLimit: 2 }].map(truncated)), [
    undefined,
    undefined,
    true,
    true,
    undefined,
    true,
  ])
  await using sessions = await start()
  for (const colour of ['white', 'red', 'green'])
    await sessions.call('memory_store', { content: `The old lighthouse was ${colour}.`, sessionId: 'session-1' })
  const { truncated: isCut, corpora } = await sessions.call('brain_search', { query: 'lighthouse', k: 2 })
  assert.deepEqual([isCut, corpora], [true, { brain: 0, memory: 2 }])
  assert.equal((await sessions.call('brain_search', { query: 'lighthouse', k: 3 })).truncated, undefined)
})

test('the best of a corpus that knows little of a question stands below a text of another corpus that has its words', async () => {
  await using gateway = await start()
  const places = ['harbour', 'quarry', 'orchard', 'foundry', 'station', 'library', 'windmill', 'brewery', 'chapel', 'tannery']
  const things = ['crane', 'ladder', 'furnace', 'barrel', 'engine', 'pulley', 'lantern', 'anvil', 'compass', 'kettle']
  const facts = places.flatMap((place, at) => things.map((thing, n) => ({ place, thing, isAtom: (at + n) % 2 === 0 })))
  const store = ({ place, thing, isAtom }: (typeof facts)[0]) => {
    const content = `The ${thing} of the ${place} was repaired.`
    if (isAtom) return commit(gateway, { slug: `${place}-${thing}`, content })
    return gateway.call('memory_store', { content, sessionId: `s-${place}` })
  }
  await Promise.all(facts.map(store))
  let first = 0
  for (const { place, thing, isAtom } of facts) {
    const [best] = (await gateway.call('brain_search', { query: `repaired ${thing} at the ${place}`, k: 5 })).hits
    const isRight = best.corpus === (isAtom ? 'brain' : 'memory') && `${best.title} ${best.text}`.includes(`${thing} of the ${place}`)
    if (isRight && best.score === 1) first++
  }
  assert.ok(first >= 0.95 * facts.length, `${first} of ${facts.length} questions have their text first`)
})

test('a question is answered by its telling words', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'a', content: 'Invoices are sent monthly.' })
  await commit(gateway, { slug: 'b', content: 'What is it that we have to do about the weather?' })
  const { hits } = await gateway.call('brain_search', { query: 'When are the invoices sent?' })
  assert.deepEqual(
    hits.map(({ atom }: { atom: { slug: string } }) => atom.slug),
    ['a'],
  )
  assert.equal((await gateway.call('brain_search', { query: 'what is it' })).hits.length, 1, 'of common words alone by these')
})

test('brain_search returns 10 hits by default and at most 100', async () => {
  await using gateway = await start()
  await Promise.all(Array.from({ length: 104 }, (_, n) => commit(gateway, { slug: `s${n}`, content: `plum number ${n}` })))
  assert.equal((await gateway.call('brain_search', { query: 'plum' })).hits.length, 10)
  assert.equal((await gateway.call('brain_search', { query: 'plum', k: 5_000 })).hits.length, 100)
  assert.equal((await gateway.call('brain_search', { query: 'plum', atomLimit: 3 })).hits.length, 3)
})

test('brain_lookup: the topic by its name or by what is asked; without a match the brief and availableTopics', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'a', topic: 'cost-policy', content: '# Caps\n\nNever above ten dollars.' })
  await commit(gateway, { slug: 'b', topic: 'docs', content: '# Writing' })
  const byName = await gateway.call('brain_lookup', { repo: 'web', topic: 'cost-policy' })
  assert.deepEqual([byName.matched, byName.topic], [true, 'cost-policy'])
  assert.match(byName.section, /Caps[\s\S]*ten dollars/)
  assert.equal((await gateway.call('brain_lookup', { query: 'what is the cost policy?' })).topic, 'cost-policy')
  const none = await gateway.call('brain_lookup', { repo: 'web', query: 'weather' })
  assert.deepEqual([none.matched, none.availableTopics], [false, ['cost-policy', 'docs']])
  assert.match(none.brief, /# web[\s\S]*Caps/)
})

test('with BRAIN_LOOKUP_EMBED=1 brain_lookup also goes by the nearest atoms', async () => {
  await using gateway = await start({ env: { BRAIN_LOOKUP_EMBED: '1' } })
  await commit(gateway, { topic: 'cost-policy', content: '# Caps\n\nNever above ten dollars.' })
  assert.equal((await gateway.call('brain_lookup', { query: 'how many dollars' })).topic, 'cost-policy')
})
