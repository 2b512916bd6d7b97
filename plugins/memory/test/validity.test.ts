import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import { contents, start, storeAll } from './support.ts'

interface Result {
  readonly chunkId: string
  readonly content: string
  readonly superseded?: boolean
  readonly expired?: boolean
}
const search = async (gateway: TestGateway, args: object): Promise<readonly Result[]> => (await gateway.call('memory_search', args)).results

/** A sequence that is the same for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const THINGS = [
  'deploy window',
  'cache size',
  'on-call lead',
  'staging host',
  'retry limit',
  'log level',
  'release branch',
  'queue driver',
  'build image',
  'rate limit',
]
const OWNERS = ['billing', 'search', 'checkout', 'mail', 'ledger', 'login', 'reports', 'catalogue', 'shipping', 'support']
const VALUES = ['amber', 'birch', 'cobalt', 'dune', 'ember', 'fjord', 'grove', 'harbor', 'indigo', 'juniper', 'karst', 'lagoon']
const SAYINGS = [
  (thing: string, owner: string, value: string) => `The ${thing} of ${owner} is ${value}.`,
  (thing: string, owner: string, value: string) => `${owner}: we changed the ${thing} to ${value} after the review.`,
  (thing: string, owner: string, value: string) => `Decision: from now on ${owner} uses ${value} as its ${thing}.`,
]

test('of 1,000 facts that change over time the valid one ranks above the old ones in at least 97 %, and the old ones are marked', async () => {
  await using gateway = await start()
  const below = random(20_261)
  const latest = new Map<string, { chunkId: string; number: number }>()
  const old = new Map<string, Set<string>>()
  const topics = THINGS.flatMap((thing) =>
    OWNERS.flatMap((owner) => [1, 2, 3, 4].map((number) => ({ thing, owner: `${owner} ${number}` }))),
  )
  for (let n = 0; n < 1_000; n++) {
    const { thing, owner } = topics[n < topics.length ? n : below(topics.length)] as { thing: string; owner: string }
    const key = `${thing} of ${owner}`
    const saying = SAYINGS[below(SAYINGS.length)] as (typeof SAYINGS)[0]
    const content = `${saying(thing, owner, VALUES[below(VALUES.length)] as string)} (${n})`
    const before = latest.get(key)
    const occurredAt = new Date(Date.UTC(2025, 0, 1) + n * 3_600_000).toISOString()
    const { chunkId } = await gateway.call('memory_store', { content, occurredAt, ...(before && { supersedes: before.chunkId }) })
    if (before) old.set(key, (old.get(key) ?? new Set()).add(before.chunkId))
    latest.set(key, { chunkId, number: n })
  }
  let [right, seen, asked] = [0, 0, 0]
  for (const [key, stale] of old) {
    asked++
    const results = await search(gateway, { query: `What is the ${key}?`, limit: 10 })
    const valid = results.findIndex(({ chunkId }) => chunkId === latest.get(key)?.chunkId)
    const stales = results.flatMap((one, at) => (stale.has(one.chunkId) ? [{ ...one, at }] : []))
    seen += stales.length
    assert.ok(
      stales.every(({ superseded }) => superseded === true),
      key,
    )
    if (valid !== -1 && stales.every(({ at }) => at > valid)) right++
  }
  assert.ok(right / asked >= 0.97, `${right} of ${asked}`)
  assert.ok(seen > asked / 2, `only ${seen} old facts were shown for ${asked} questions`)
})

test('superseded and expired chunks rank below valid ones, are marked, and are left out of contexts', async () => {
  await using gateway = await start()
  const [first] = await storeAll(gateway, [{ content: 'The gate code is 4711, the gate code.', repo: 'web', source: 'state' }])
  const [second] = await storeAll(gateway, [{ content: 'The gate code is 1234.', repo: 'web', source: 'state', supersedes: first }])
  await storeAll(gateway, [
    { content: 'The gate code of the summer is 99.', repo: 'web', source: 'state', validUntil: '2000-01-01T00:00:00Z' },
    { content: 'A gate is painted green.', repo: 'web' },
  ])
  const results = await search(gateway, { query: 'gate code' })
  assert.deepEqual(
    results.map(({ superseded, expired }) => superseded ?? expired ?? false),
    [false, false, true, true],
  )
  assert.equal(results[0]?.chunkId, second)
  assert.equal(results.find(({ chunkId }) => chunkId === first)?.superseded, true)
  for (const args of [{ repo: 'web' }, { repo: 'web', query: 'gate code' }]) {
    const { context } = await gateway.call('memory_context', args)
    assert.match(context, /1234/)
    assert.doesNotMatch(context, /4711|99/)
  }
  // A fact that holds again replaces the one that had replaced it.
  await storeAll(gateway, [{ content: 'The gate code is 4711, the gate code.', supersedes: second }])
  assert.equal((await search(gateway, { query: 'gate code' })).find(({ chunkId }) => chunkId === first)?.superseded, undefined)
  // The old one holds again when its successor is forgotten.
  await gateway.inject({ method: 'DELETE', url: `/api/memory/${first}` })
  assert.equal((await search(gateway, { query: 'gate code' })).find(({ chunkId }) => chunkId === second)?.superseded, undefined)
})

test('an unknown supersedes, the content itself, and times that are none are refused by name, and nothing is stored', async () => {
  await using gateway = await start()
  for (const [args, field] of [
    [{ supersedes: 'mem-unknown' }, 'supersedes'],
    [{ occurredAt: 'yesterday' }, 'occurredAt'],
    [{ occurredAt: '2026-01-01T00:00:00+25:00' }, 'occurredAt'],
    [{ validUntil: '2026-02-30' }, 'validUntil'],
  ] as const)
    await assert.rejects(gateway.call('memory_store', { content: 'a fact', ...args }), { code: 'BAD_REQUEST', message: new RegExp(field) })
  assert.equal((await gateway.call('memory_stats')).total, 0)
  const [chunkId] = await storeAll(gateway, [{ content: 'a fact' }])
  await assert.rejects(gateway.call('memory_store', { content: 'a fact', supersedes: chunkId }), { code: 'BAD_REQUEST' })
})

test('the same text stored for a second repo, tag and session is found there too, and counts once', async () => {
  await using gateway = await start()
  const content = 'Retries are capped at five.'
  await storeAll(gateway, [{ content, repo: 'api', tags: ['retry'] }])
  const again = await gateway.call('memory_store', { content, repo: 'web', tags: ['limits'], sessionId: 's2' })
  assert.equal(again.stored, false)
  for (const args of [{ repo: 'api' }, { repo: 'web' }, { tags: ['retry', 'limits'] }, {}])
    assert.deepEqual(await contents(gateway, { query: 'retries', ...args }), [content], JSON.stringify(args))
  assert.equal(((await search(gateway, { query: 'retries', repo: 'web' })) as readonly { repo?: string }[])[0]?.repo, 'web')
  assert.deepEqual(await contents(gateway, { query: 'retries' }, 'recall_session'), [content])
  assert.match((await gateway.call('memory_context', { repo: 'web', query: 'retries' })).context, /capped/)
  assert.equal((await gateway.call('memory_stats')).total, 1)
})

test('a question for the latest of several texts that fit alike finds the newest first', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'Decision on the database: we take Postgres, said the team.', occurredAt: '2026-03-01' },
    { content: 'Decision on the database: we take SQLite, said the team.', occurredAt: '2026-05-01' },
    { content: 'Decision on the database: we take MySQL, said the team.', occurredAt: '2026-01-01' },
  ])
  for (const query of ['latest decision on the database', 'Was ist die aktuelle decision database', '最新 decision database'])
    assert.match((await contents(gateway, { query }))[0] as string, /SQLite/, query)
})

test('an end before the beginning is refused, and an atom of the brain is replaced elsewhere, which the refusal says', async () => {
  await using gateway = await start()
  const refused = async (args: object, field: string, message: RegExp) =>
    assert.rejects(
      gateway.call('memory_store', { content: 'The gate code is 1.', ...args }),
      (error: { code: string; message: string; details: { field?: string } }) =>
        error.code === 'BAD_REQUEST' && error.details.field === field && message.test(error.message),
    )
  await refused({ occurredAt: '2026-02-01', validUntil: '2026-01-01' }, 'validUntil', /must not be before `occurredAt`/)
  await refused({ supersedes: 'memory/2026-01-01/gate-12345678.md' }, 'supersedes', /brain_commit/)
  await refused({ supersedes: 'mem-none' }, 'supersedes', /got "mem-none"\.$/)
  assert.equal((await gateway.call('memory_stats')).total, 0)
  await gateway.call('memory_store', { content: 'Valid for a day.', occurredAt: '2026-01-01', validUntil: '2026-01-01' })
  await gateway.call('memory_store', { content: 'Over on the day.', occurredAt: '2026-01-01T10:00:00Z', validUntil: '2026-01-01' })
  const times = { occurredAt: '2026-01-01T10:00:00Z', validUntil: '2026-01-01T09:00:00Z' }
  await refused(times, 'validUntil', /must not be before `occurredAt`/)
})
