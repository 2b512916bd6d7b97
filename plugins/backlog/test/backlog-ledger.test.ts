import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needs } from '@gateway/testing'
import fc from 'fast-check'
import { names, start, type TestGateway } from './support.ts'

const get = (gateway: TestGateway, options = {}) => gateway.call('backlog_ledger_get', {}, options)
const add = async (gateway: TestGateway, titles: readonly unknown[], options = {}): Promise<string[]> =>
  (await gateway.call('backlog_ledger_add', { titles }, options)).added

test('the ledger is empty at first, and lists titles in the order in which they came', async () => {
  await using gateway = await start()
  assert.deepEqual(await get(gateway), { count: 0, titles: [] })
  assert.deepEqual(await add(gateway, ['z', 'a']), ['z', 'a'])
  assert.deepEqual(await add(gateway, ['m']), ['m'])
  assert.deepEqual(await get(gateway), { count: 3, titles: ['z', 'a', 'm'] })
})

test('a title stands there once, however often and by however many it is added', async () => {
  await using gateway = await start()
  assert.deepEqual(await add(gateway, ['a', 'b', 'a']), ['a', 'b'])
  assert.deepEqual(await add(gateway, ['b', 'c', 'a']), ['c'])
  assert.deepEqual(await add(gateway, ['c']), [])
  const answers = await Promise.all(Array.from({ length: 10 }, () => add(gateway, ['x', 'y'])))
  assert.equal(answers.flat().length, 2, 'each is new to one caller')
  assert.deepEqual((await get(gateway)).titles.sort(), ['a', 'b', 'c', 'x', 'y'])
})

test('whatever is added in whatever order, the ledger is the set of it', async () => {
  await using gateway = await start()
  const expected: string[] = []
  const title = fc.oneof(fc.constantFrom('a', 'A', ' a', 'ä', '$a.b', '__proto__'), fc.string({ minLength: 1, maxLength: 8 }))
  const batch = fc.array(
    title.filter((text) => /\S/.test(text)),
    { minLength: 1, maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(batch, async (titles) => {
      const fresh = [...new Set(titles)].filter((one) => !expected.includes(one))
      assert.deepEqual(await add(gateway, titles), fresh)
      expected.push(...fresh)
      assert.deepEqual((await get(gateway)).titles, expected)
    }),
    { numRuns: 40 },
  )
})

test('a ledger longer than a page of the store is returned whole', needs('scale'), async () => {
  await using gateway = await start()
  const titles = Array.from({ length: 2_100 }, (_, n) => `title ${n}`)
  for (let from = 0; from < titles.length; from += 700) await add(gateway, titles.slice(from, from + 700))
  assert.deepEqual(await get(gateway), { count: 2_100, titles })
})

test('wrong titles are refused by name, and none of the batch is added', async () => {
  await using gateway = await start()
  for (const [titles, field] of [
    [['good', ''], 'titles[1]'],
    [['good', ' \n'], 'titles[1]'],
    [['good', 'b\0'], 'titles[1]'],
    [['good', 'x'.repeat(501)], 'titles[1]'],
    [[7], 'titles[0]'],
    [[], 'titles'],
    [Array.from({ length: 1_001 }, (_, n) => `t${n}`), 'titles'],
  ] as const) {
    await assert.rejects(add(gateway, titles), names(field))
  }
  await assert.rejects(gateway.call('backlog_ledger_add', {}), names('titles'))
  assert.deepEqual((await get(gateway)).titles, [])
})

test('each tenant has its own ledger', async () => {
  await using gateway = await start()
  const acme = { as: { tenantId: 'acme' } }
  await add(gateway, ['a'])
  assert.deepEqual((await get(gateway, acme)).titles, [])
  assert.deepEqual(await add(gateway, ['a'], acme), ['a'])
})

test('GET and POST /api/backlog/ledger are the same tools', async () => {
  await using gateway = await start()
  const posted = await gateway.inject({ method: 'POST', url: '/api/backlog/ledger', body: { titles: ['a'] } })
  assert.deepEqual([posted.status, posted.json()], [200, { added: ['a'] }])
  assert.deepEqual((await gateway.inject({ method: 'GET', url: '/api/backlog/ledger' })).json(), { count: 1, titles: ['a'] })
})
