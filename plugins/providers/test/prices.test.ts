import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bundledPrices } from '../src/config.ts'
import { readPrices } from '../src/operations/read-prices.ts'
import { PriceTable } from '../src/rules/price-table.ts'
import { costUsd, maxCostUsd } from '../src/rules/usage.ts'
import { answers, standIn } from './stand-in.ts'
import { ask, provider, start } from './support.ts'

const NOWHERE = 'http://127.0.0.1:9'
const models = { standard: 'claude-sonnet-5-5-20261001', premium: 'gpt-4.1' }
const own = { inputPerMTok: 7, outputPerMTok: 8 }

async function fileOf(value: unknown) {
  const folder = await mkdtemp(join(tmpdir(), 'prices-'))
  const path = join(folder, 'prices.json')
  await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value))
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}
const tableOf = (models: object, asOf = '2026-01-02') => ({ vendors: [{ vendor: 'V', source: 'https://v.example/prices', asOf, models }] })

test('a model of a vendor costs the public price, and the settings come first; routing_info and provider_health name the source', async () => {
  await using gateway = await start({ api: provider(NOWHERE, { models, prices: { 'gpt-4.1': own } }) })
  const { price, chain } = await gateway.call('routing_info', { tier: 'standard' })
  assert.deepEqual([price.inputPerMTok, price.outputPerMTok, price.cacheReadPerMTok], [2, 10, 0.1])
  assert.match(price.source, /^https:\/\//)
  assert.match(price.asOf, /^\d{4}-\d{2}-\d{2}$/)
  assert.deepEqual(chain[0].price, price)
  const { providers } = await gateway.call('provider_health')
  assert.deepEqual(providers[0].prices, { [models.standard]: price, 'gpt-4.1': { ...own, source: 'settings' } })
})

test('a file of the operator replaces the table, and what a call costs follows it', async () => {
  await using model = await standIn(answers('openai'))
  await using file = await fileOf(tableOf({ 'model-s': { inputPerMTok: 1_000, outputPerMTok: 2_000 } }))
  await using gateway = await start({ api: provider(model.baseUrl) }, { priceFile: file.path })
  const { usage } = await ask(gateway)
  assert.deepEqual([usage.priced, usage.costUsd], [true, (usage.inputTokens * 1_000 + usage.outputTokens * 2_000) / 1e6])
  const { price } = await gateway.call('routing_info', { tier: 'standard' })
  assert.deepEqual([price.source, price.asOf], ['https://v.example/prices', '2026-01-02'])
})

test('a file without vendors leaves only the prices of the settings', async () => {
  await using file = await fileOf({ vendors: [] })
  await using gateway = await start({ api: provider(NOWHERE, { models }) }, { priceFile: file.path })
  assert.equal((await gateway.call('routing_info', { tier: 'standard' })).price, undefined)
})

for (const [value, place] of [
  ['{', /priceFile/],
  [{}, /priceFile .*vendors must be a list/],
  [tableOf({ m: { inputPerMTok: -1, outputPerMTok: 0 } }), /vendors\[0\]\.models\["m"\]\.inputPerMTok must be a number.*-1/],
  [tableOf({ m: { inputPerMTok: 1 } }), /outputPerMTok must be a number/],
  [tableOf({ m: { ...own, cacheWrite1hPerMTok: '2' } }), /cacheWrite1hPerMTok must be a number/],
  [tableOf({}, 'yesterday'), /vendors\[0\]\.asOf must be a day.*"yesterday"/],
] as const) {
  test(`a table with a fault is refused with its place: ${place.source}`, async () => {
    await using file = await fileOf(value)
    assert.throws(() => readPrices(file.path), place)
  })
}

test('names are found without the vendor before them and the version after them, and nothing else is guessed', () => {
  const table = new PriceTable(tableOf({ 'm-1': own, 'm-1-mini': { inputPerMTok: 1, outputPerMTok: 1 } }))
  const known = ['m-1', 'v/m-1', 'm-1-20260101', 'm-1-2026-01-01', 'm-1-latest', 'm-1@20260101', 'v/m-1-latest']
  assert.deepEqual([...new Set(known.map((name) => table.of(name)?.inputPerMTok))], [7])
  assert.deepEqual([table.of('m-1-large'), table.of('m'), table.of('constructor')], [undefined, undefined, undefined])
})

test('every token of a call with a long prompt has the price of long prompts, and a call near it reserves that price', () => {
  const price = {
    inputPerMTok: 1,
    outputPerMTok: 10,
    longPrompts: { overTokens: 1_000, inputPerMTok: 2, outputPerMTok: 20, cacheReadPerMTok: 1 },
  }
  assert.equal(costUsd({ inputTokens: 1_000, outputTokens: 10 }, price), (1_000 + 100) / 1e6)
  assert.equal(costUsd({ inputTokens: 1_001, outputTokens: 10, cacheReadTokens: 1 }, price), (2_000 + 1 + 200) / 1e6)
  assert.equal(maxCostUsd(100, 10, price), (100 + 100) / 1e6)
  assert.equal(maxCostUsd(900, 10, price), (1_800 + 200) / 1e6)
})

test('a call reserves the price of the service it asks for, and of a cache that keeps its prompt for an hour', () => {
  const price = { inputPerMTok: 4, outputPerMTok: 10, cacheWritePerMTok: 5, source: 'a vendor' }
  assert.equal(maxCostUsd(100, 10, price), 600 / 1e6)
  assert.equal(maxCostUsd(100, 10, price, { keepsHour: true }), 900 / 1e6)
  assert.equal(maxCostUsd(100, 10, price, { factor: 2.5 }), (600 / 1e6) * 2.5)
  assert.equal(maxCostUsd(100, 10, { ...price, source: 'settings' }, { factor: 2.5 }), 600 / 1e6)
})

test('the bundled table has a dated source for each vendor, and tokens from a cache cost no more than others', () => {
  const table = readPrices(bundledPrices)
  for (const name of ['claude-opus-5-5', 'claude-haiku-4-5-20251001', 'gpt-5.6', 'gpt-4o-mini', 'gemini-2.5-pro', 'deepseek-chat']) {
    const { inputPerMTok = 0, outputPerMTok = 0, cacheReadPerMTok = 0, source = '', asOf = '' } = table.of(name) ?? {}
    assert.ok(inputPerMTok > 0 && outputPerMTok > inputPerMTok && cacheReadPerMTok <= inputPerMTok / 2, name)
    assert.match(`${source} ${asOf}`, /^https:\S+ 20\d\d-\d\d-\d\d$/)
  }
})
