import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byExperience } from '../src/rules/by-experience.ts'
import { Experience } from '../src/rules/experience.ts'
import { answers, refuses, standIn } from './stand-in.ts'
import { ask, provider, start } from './support.ts'

const HOUR = 3_600_000
const models = { standard: 'model-s' }
const at = (inputPerMTok: number) => ({ models, prices: { 'model-s': { inputPerMTok, outputPerMTok: inputPerMTok } } })
const experience = { routing: { order: 'experience' }, maxHops: 2, failureThreshold: 1_000 }

test('of several models of a tier the cheaper one is asked, until its failures make it the dearer one, and routing_info says why', async () => {
  await using cheap = await standIn(answers('openai'))
  await using dear = await standIn(answers('openai'))
  await using gateway = await start({ api: provider(dear.baseUrl, at(3)), local: provider(cheap.baseUrl, at(2)) }, experience)
  assert.equal((await ask(gateway)).provider, 'local')
  cheap.state.behave = refuses(500)
  for (let n = 0; n < 4; n++) assert.equal((await ask(gateway)).provider, 'api')
  const asked = cheap.received.length
  assert.equal((await ask(gateway)).provider, 'api')
  assert.equal(cheap.received.length, asked, 'the failing model is not asked any more')
  const { reason, chain } = await gateway.call('routing_info', { tier: 'standard' })
  assert.match(
    reason,
    /By price and success: model-s of api \(3 USD per million tokens, 100 % of about 5 calls worked\), then model-s of local \(2 USD/,
  )
  assert.deepEqual(
    chain.map(({ provider: name, successRate }: Record<string, unknown>) => [name, Number(successRate) < 1]),
    [
      ['api', false],
      ['local', true],
    ],
  )
})

test('without the setting the chain decides, whatever a model costs', async () => {
  await using gateway = await start({ api: provider('http://127.0.0.1:9', at(3)), local: provider('http://127.0.0.1:9', at(2)) })
  const { provider: first, reason } = await gateway.call('routing_info', { tier: 'standard' })
  assert.equal(first, 'api')
  assert.doesNotMatch(reason, /price/)
})

test('a refused request and a limit say nothing of a model', async () => {
  await using model = await standIn(refuses(400))
  await using gateway = await start({ api: provider(model.baseUrl) }, { ...experience, maxHops: 0 })
  await assert.rejects(ask(gateway), { code: 'MODEL_REFUSED' })
  const { chain } = await gateway.call('routing_info', { tier: 'standard' })
  assert.deepEqual([chain[0].calls, chain[0].successRate], [0, 1])
})

test('the next process knows what the last one learned, and another node learns from it within a minute', async () => {
  await using cheap = await standIn(refuses(500))
  await using dear = await standIn(answers('openai'))
  const named = { api: provider(dear.baseUrl, at(3)), local: provider(cheap.baseUrl, at(2)) }
  await using gateway = await start(named, experience)
  const rates = async () => {
    const { chain } = await gateway.call('routing_info', { tier: 'standard' })
    return Object.fromEntries(chain.map((one: Record<string, unknown>) => [one.provider, [Math.round(Number(one.calls)), one.successRate]]))
  }
  for (let n = 0; n < 4; n++) {
    gateway.clock.advance(61)
    await ask(gateway)
  }
  const learned = await rates()
  assert.ok(learned.api[0] >= 4 && learned.local[1] < 1, JSON.stringify(learned))
  const stored = (await gateway.documents('_gateway'))['providers.experience'] ?? []
  assert.equal(stored.length, 2, 'one record for each model')
  await gateway.restart()
  const afterwards = await rates()
  assert.deepEqual(afterwards.api[0], learned.api[0])
  assert.ok(afterwards.local[1] < 1, JSON.stringify(afterwards))
})

test('observations are written together, at most once a minute, and none counts twice', () => {
  const [one, other] = [new Experience(), new Experience()]
  const first = one.note('api', 'm', true, 0)
  assert.deepEqual(first, { provider: 'api', model: 'm', worked: 1, failed: 0, at: 0 })
  for (let n = 0; n < 5; n++) assert.equal(one.note('api', 'm', true, 1), undefined)
  one.wrote(first as never, { worked: 3, failed: 0, at: 1 })
  assert.ok(Math.abs(one.of('api', 'm', 1).calls - 8) < 0.01, 'two of another node, one written, five not yet')
  assert.equal(other.shouldRead(1), true)
  assert.equal(other.shouldRead(2), false)
  other.read([{ provider: 'api', model: 'm', worked: 3, failed: 0, at: 1 }])
  assert.equal(other.of('api', 'm', 1).calls, 3)
  assert.equal(other.shouldRead(60_002), true)
  assert.equal(one.note('api', 'm', false, 60_001)?.failed, 1)
})

test('a store that is slower than a minute is given nothing twice, and what it did not take is given again', () => {
  const seen = new Experience()
  const first = seen.note('api', 'm', true, 0)
  assert.ok(first)
  assert.deepEqual(seen.note('api', 'm', false, 60_001), { provider: 'api', model: 'm', worked: 0, failed: 1, at: 60_001 })
  assert.ok(Math.abs(seen.of('api', 'm', 60_001).calls - 2) < 0.02, 'both count meanwhile')
  seen.keep(first, 60_001)
  const third = seen.note('api', 'm', true, 120_002)
  assert.ok(third && third.failed === 0 && Math.abs(third.worked - 2) < 0.05, JSON.stringify(third))
})

test('failures lose half of their weight in an hour', () => {
  const seen = new Experience()
  for (let n = 0; n < 8; n++) seen.note('api', 'm', false, 0)
  assert.deepEqual(seen.of('api', 'm', 0), { calls: 8, rate: 5 / 13 })
  assert.deepEqual(seen.of('api', 'm', HOUR), { calls: 4, rate: 5 / 9 })
  assert.deepEqual(seen.of('api', 'other', 0), { calls: 0, rate: 1 })
})

test('a model that fails more often than it works comes last, and models of other tiers keep their places', () => {
  const candidates = [
    { provider: 'api', model: 'free', exact: true },
    { provider: 'local', model: 'paid', exact: true },
    { provider: 'bridge', model: 'other', exact: false },
  ] as const
  const known = {
    free: { price: undefined, success: { calls: 9, rate: 0.4 } },
    paid: { price: { inputPerMTok: 5, outputPerMTok: 5 }, success: { calls: 9, rate: 0.9 } },
  }
  const { candidates: ordered } = byExperience(candidates, ({ model }) => known[model as keyof typeof known])
  assert.deepEqual(
    ordered.map(({ model }) => model),
    ['paid', 'free', 'other'],
  )
})
