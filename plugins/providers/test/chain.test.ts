import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attentionSource, closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { answers, inTurn, refuses, standIn } from './stand-in.ts'
import { ask, guard, health, provider, start, until } from './support.ts'

const member = { as: { tenantId: 'acme', id: 'ann', kind: 'user', role: 'admin' } } as const
const colleague = { as: { id: 'ann', kind: 'user', role: 'admin' } } as const
const other = { as: { tenantId: 'beta', id: 'bob', kind: 'user', role: 'member' } } as const

test('after failures in a row the breaker opens, provider_health says so, and nobody waits for the provider', async () => {
  await using model = await standIn(inTurn(refuses(500), refuses(500), answers('openai')))
  await using gateway = await start({ api: provider(model.baseUrl) }, { maxHops: 0, failureThreshold: 2, cooldownSeconds: 30 })
  for (let at = 0; at < 2; at++) await assert.rejects(ask(gateway), { code: 'UNAVAILABLE' })
  assert.equal((await health(gateway, 'api')).circuitBreaker.state, 'open')
  const refusal = await ask(gateway).catch((error) => error)
  assert.deepEqual([refusal.code, refusal.details.retryAfterSeconds, model.received.length], ['UNAVAILABLE', 30, 2])
  gateway.clock.advance(31)
  assert.equal((await health(gateway, 'api')).circuitBreaker.state, 'half-open')
  await ask(gateway)
  assert.equal((await health(gateway, 'api')).circuitBreaker.state, 'closed')
})

test('a provider that is down asks for attention until a call of it works, also after its pause', async () => {
  const seen: object[][] = []
  const looking = definePlugin({
    id: 'looking',
    sdk: '^1.0.0',
    description: 'For tests.',
    tools: [
      defineTool({
        name: 'look_at_attention',
        description: 'Look, for tests.',
        capability: 'work',
        effect: 'read',
        input: Type.Object({}, closed),
        output: Type.Object({}),
        uses: { sources: attentionSource },
        async handle(_, { sources }) {
          for (const source of sources) seen.push((await source.look(10)).items.map(({ id, title, tone }) => ({ id, title, tone })))
          return {}
        },
      }),
    ],
  })
  await using model = await standIn(inTurn(refuses(500), answers('openai')))
  const settings = { maxHops: 0, failureThreshold: 1, cooldownSeconds: 30 }
  await using gateway = await start({ api: provider(model.baseUrl) }, settings, { plugins: [looking] })
  await assert.rejects(ask(gateway), { code: 'UNAVAILABLE' })
  await gateway.call('look_at_attention')
  gateway.clock.advance(31)
  await gateway.call('look_at_attention')
  await ask(gateway)
  await gateway.call('look_at_attention')
  const item = (state: string) => ({ id: 'api', title: `The breaker of api is ${state}`, tone: 'bad' })
  assert.deepEqual(seen, [[item('open')], [item('half open')], []])
})

test('a half-open breaker lets one call through', async () => {
  const let_: (() => void)[] = []
  await using model = await standIn(
    inTurn(refuses(500), (response, request) => void let_.push(() => void answers('openai')(response, request))),
  )
  await using gateway = await start({ api: provider(model.baseUrl) }, { maxHops: 0, failureThreshold: 1 })
  await assert.rejects(ask(gateway), { code: 'UNAVAILABLE' })
  gateway.clock.advance(31)
  const probe = ask(gateway)
  await until(() => let_.length === 1)
  await assert.rejects(ask(gateway), { code: 'UNAVAILABLE' })
  let_[0]?.()
  assert.equal((await probe).provider, 'api')
  assert.equal(model.received.length, 2)
})

test('provider_reset closes a tripped breaker, and one that is closed stays as it is', async () => {
  await using model = await standIn(inTurn(refuses(500), answers('openai')))
  await using gateway = await start({ api: provider(model.baseUrl) }, { maxHops: 0, failureThreshold: 1 })
  await assert.rejects(ask(gateway), { code: 'UNAVAILABLE' })
  const { reset, provider: after } = await gateway.call('provider_reset', { provider: 'api' })
  assert.deepEqual([reset, after.circuitBreaker.state], [true, 'closed'])
  await ask(gateway)
  assert.equal((await gateway.call('provider_reset', { provider: 'api' })).reset, false)
  await assert.rejects(gateway.call('provider_reset', { provider: 'bridge' }), { code: 'UNAVAILABLE' })
})

test('maintenance: calls under way finish, new ones wait and go on at the exit, over a restart too', async () => {
  const waiting: (() => void)[] = []
  await using model = await standIn((response, request) => void waiting.push(() => void answers('openai')(response, request)))
  await using gateway = await start({ api: provider(model.baseUrl) })
  const underWay = ask(gateway)
  await until(() => waiting.length === 1)
  const entered = await gateway.call('provider_maintenance_enter', { provider: 'api', reason: 'new disks' }, colleague)
  assert.deepEqual([entered.provider.status, entered.provider.maintenance.operator], ['draining', 'ann'])
  const queued = ask(gateway)
  await until(async () => (await health(gateway, 'api')).counts.queued === 1)
  waiting[0]?.()
  await underWay
  await until(async () => (await health(gateway, 'api')).status === 'maintenance')
  assert.equal(model.received.length, 1)
  model.state.behave = answers('openai')
  const { exited } = await gateway.call('provider_maintenance_exit', { provider: 'api' }, colleague)
  assert.deepEqual([exited, (await queued).text], [true, 'Hello there'])
  assert.equal((await gateway.call('provider_maintenance_exit', { provider: 'api' })).exited, false)
  await gateway.call('provider_maintenance_enter', { provider: 'api' })
  await gateway.restart()
  assert.equal((await health(gateway, 'api')).status, 'maintenance')
})

test('in maintenance new calls go to the next in the chain, and routing_info says so', async () => {
  await using first = await standIn(answers('openai'))
  await using second = await standIn(answers('anthropic'))
  await using gateway = await start({ api: provider(first.baseUrl), local: provider(second.baseUrl, { wire: 'anthropic' }) })
  await gateway.call('provider_maintenance_enter', { provider: 'api' })
  const { provider: by, failoverFrom, failoverReason, chain } = await gateway.call('routing_info')
  assert.deepEqual([by, failoverFrom, failoverReason, chain[0].why], ['local', 'api', 'it is in maintenance', 'maintenance'])
  const { provider: took, routing } = await ask(gateway)
  assert.deepEqual([took, routing.failoverReason], ['local', 'it is in maintenance'])
  assert.equal(first.received.length, 0)
})

test('what was learned before maintenance is void after it: the queue is released to a provider whose breaker was open', async () => {
  await using model = await standIn(inTurn(refuses(500), answers('openai')))
  await using gateway = await start({ api: provider(model.baseUrl) }, { maxHops: 0, failureThreshold: 1 })
  await assert.rejects(ask(gateway), { code: 'UNAVAILABLE' })
  await gateway.call('provider_maintenance_enter', { provider: 'api' })
  const queued = [ask(gateway), ask(gateway)]
  await until(async () => (await health(gateway, 'api')).counts.queued === 2)
  await gateway.call('provider_maintenance_exit', { provider: 'api' })
  for (const { text } of await Promise.all(queued)) assert.equal(text, 'Hello there')
})

test('who waits for a place goes as soon as the provider is down, and as soon as its caller leaves', async () => {
  const held: (() => void)[] = []
  await using model = await standIn((response, request) => void held.push(() => void refuses(500)(response, request)))
  await using gateway = await start({ api: provider(model.baseUrl) }, { callsAtOnce: 1, failureThreshold: 1, maxHops: 0 })
  const first = ask(gateway)
  await until(() => held.length === 1)
  const leaving = new AbortController()
  const [gone, waits] = [ask(gateway, {}, { signal: leaving.signal }), ask(gateway)]
  await until(async () => (await health(gateway, 'api')).counts.queued === 2)
  leaving.abort(new Error('gone'))
  await assert.rejects(gone)
  await until(async () => (await health(gateway, 'api')).counts.queued === 1)
  held[0]?.()
  const [failure, refusal] = await Promise.all([first, waits].map((call) => call.catch((error) => error)))
  assert.match(failure.message, /HTTP 500/)
  assert.deepEqual([refusal.code, refusal.details.retryAfterSeconds, model.received.length], ['UNAVAILABLE', 30, 1])
  assert.match(refusal.message, /api: it rests after failures in a row/)
})

test('no more wait than may, and of one tenant half of them; nobody waits longer than maxWaitMs', async () => {
  await using model = await standIn(answers('openai'))
  await using gateway = await start({ api: provider(model.baseUrl) }, { maxWaiting: 4, maxWaitMs: 2_000 })
  await gateway.call('provider_maintenance_enter', { provider: 'api' })
  const waiting = [ask(gateway, {}, member), ask(gateway, {}, member)]
  await until(async () => (await health(gateway, 'api')).counts.queued === 2)
  await assert.rejects(ask(gateway, {}, member), { code: 'UNAVAILABLE' })
  waiting.push(ask(gateway, {}, other))
  await until(async () => (await health(gateway, 'api')).counts.queued === 3)
  for (const outcome of await Promise.allSettled(waiting)) {
    assert.match(outcome.status === 'rejected' ? outcome.reason.message : '', /api: it is in maintenance/)
  }
  assert.equal((await health(gateway, 'api')).counts.queued, 0)
})

test('a slow provider has no more than its calls at once, and tenants take turns', async () => {
  const order: string[] = []
  const held: (() => void)[] = []
  await using model = await standIn((response, request) => {
    order.push(request.body.messages[0].content)
    held.push(() => void answers('openai')(response, request))
  })
  await using gateway = await start({ api: provider(model.baseUrl) }, { callsAtOnce: 2 })
  const of = (name: string, as: object) => ask(gateway, { messages: [{ role: 'user', content: name }] }, as)
  const many = Array.from({ length: 12 }, () => of('acme', member))
  await until(async () => (await health(gateway, 'api')).counts.queued === 10)
  const late = of('beta', other)
  await until(async () => (await health(gateway, 'api')).counts.queued === 11)
  const flow = setInterval(() => held.shift()?.(), 2)
  await Promise.all([...many, late])
  clearInterval(flow)
  assert.equal(model.state.most, 2)
  assert.ok(order.indexOf('beta') < 6, order.join())
})

test('the token bucket bounds calls a minute, and the ring shows a tenant its own calls alone', async () => {
  await using model = await standIn(answers('openai'))
  await using gateway = await start({ api: provider(model.baseUrl) }, { requestsPerMinute: 6, maxWaitMs: 0 })
  await ask(gateway, {}, member)
  assert.equal((await health(gateway, 'api')).rateLimiter.tokens, 0)
  await assert.rejects(ask(gateway, {}, other), { code: 'UNAVAILABLE' })
  gateway.clock.advance(10)
  await ask(gateway, {}, other)
  const { recentRoutingDecisions, retryBudget } = await gateway.call('provider_health', {}, other)
  assert.deepEqual([recentRoutingDecisions.length, retryBudget.maxHops], [1, 3])
  assert.equal((await gateway.call('provider_health')).recentRoutingDecisions.length, 2)
})

test('each attempt is reserved at its greatest price and settled at its own; a refusal to pay sends nothing', async () => {
  await using broken = await standIn(refuses(503))
  await using model = await standIn(answers('openai'))
  const prices = { 'model-s': { inputPerMTok: 1, outputPerMTok: 10 } }
  const { plugin, planned, settled, released } = guard()
  const named = { api: provider(broken.baseUrl, { prices }), local: provider(model.baseUrl, { prices }) }
  await using gateway = await start(named, {}, { plugins: [plugin] })
  await ask(gateway, { maxTokens: 100, agent: 'x', channel: 'web' }, member)
  assert.deepEqual(
    planned.map(({ provider, channel, member: who, maxOutputTokens, maxCostUsd }) => [provider, channel, who, maxOutputTokens, maxCostUsd]),
    [
      ['api', 'web', 'ann', 100, 0.001005],
      ['local', 'web', 'ann', 100, 0.001005],
    ],
  )
  assert.deepEqual([released, settled.length], [[planned[0]?.callId], 1])
  assert.deepEqual([settled[0]?.callId, settled[0]?.costUsd, settled[0]?.outcome], [planned[1]?.callId, 81 / 1e6, 'ok'])

  const broke = guard({ refuse: () => Object.assign(new Error('no money'), { stop: true }) })
  await using poor = await start({ local: provider(model.baseUrl) }, {}, { plugins: [broke.plugin] })
  await assert.rejects(ask(poor))
  assert.equal(model.received.length, 1)
  assert.equal((await health(poor, 'local')).counts.inFlight, 0)
})

test('when a budget runs short routing takes the next cheaper tier and says so', async () => {
  await using model = await standIn(answers('openai'))
  const { plugin } = guard({ advice: { downgrade: true, reason: 'Four fifths of the month are spent.' } })
  await using gateway = await start({ api: provider(model.baseUrl) }, {}, { plugins: [plugin] })
  const { routing } = await ask(gateway, { tier: 'premium' })
  assert.deepEqual([routing.tier, routing.downgradedFrom, routing.model], ['standard', 'premium', 'model-s'])
  assert.match(routing.reason, /premium was asked for\. Four fifths of the month are spent\. Lowered to standard\.$/)
  assert.equal((await gateway.call('routing_info', { tier: 'premium' })).tier, 'standard')
})

test('a chain that names who is not configured stops the start', async () => {
  await assert.rejects(start({ api: provider('http://127.0.0.1:1') }, { chain: ['local'] }), /chain contains local/)
})
