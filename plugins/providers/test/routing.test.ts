import assert from 'node:assert/strict'
import { test } from 'node:test'
import { candidatesFor } from '../src/rules/candidates.ts'
import { TABLES } from '../src/rules/tables.ts'
import { decideTier } from '../src/rules/tier.ts'
import { answers, standIn } from './stand-in.ts'
import { ask, provider, start } from './support.ts'

const tables = { ...TABLES, agents: { judge: 'ultra' }, tools: { sweep: 'premium' } } as const
const all = {
  tier: 'tier_x',
  workType: 'docs',
  complexityLevel: 'critical',
  tool: 'sweep',
  agent: 'judge',
  channelType: 'chat_channel',
} as const
const decide = (query: object, downgrade = false) => {
  const { rule, tier } = decideTier(query, tables, { downgrade })
  return [rule, tier]
}

test('the first that is given decides: tier, work type, complexity level, tool, agent, channel, default', () => {
  const { tier: _1, ...noTier } = all
  const { workType: _2, ...noWork } = noTier
  const { complexityLevel: _3, ...noLevel } = noWork
  const { tool: _4, ...noTool } = noLevel
  const { agent: _5, ...noAgent } = noTool
  assert.deepEqual(
    [all, noTier, noWork, noLevel, noTool, noAgent, {}].map((query) => decide(query)),
    [
      ['tier', 'tier_x'],
      ['workType', 'budget'],
      ['complexityLevel', 'ultra'],
      ['tool', 'premium'],
      ['agent', 'ultra'],
      ['channel', 'budget'],
      ['default', 'standard'],
    ],
  )
})

test('a name that no table has is passed over, also one that every object has', () => {
  assert.deepEqual(decide({ tool: 'constructor', agent: 'toString', channelType: 'mcp' }), ['channel', 'standard'])
})

test('complexity from 0.8 on lifts the tier by one, but never one that was asked for', () => {
  assert.deepEqual(decide({ complexity: 0.79 }), ['default', 'standard'])
  assert.deepEqual(decide({ complexity: 0.8 }), ['default', 'premium'])
  assert.deepEqual(decide({ workType: 'security', complexity: 1 }), ['workType', 'ultra'])
  assert.deepEqual(decide({ tier: 'budget', complexity: 1 }), ['tier', 'budget'])
})

test('a budget that runs short lowers any tier by one, down to the cheapest', () => {
  const lowered = ['budget', 'standard', 'premium', 'ultra', 'tier_x', 'tier_y'].map((tier) => decide({ tier }, true)[1])
  assert.deepEqual(lowered, ['budget', 'budget', 'standard', 'premium', 'standard', 'premium'])
})

test('the mode is runner for the scheduler, else interactive, unless it is named', () => {
  const mode = (query: object) => decideTier(query, tables, { downgrade: false }).mode
  assert.deepEqual(
    [mode({}), mode({ channelType: 'scheduler' }), mode({ channelType: 'scheduler', mode: 'interactive' })],
    ['interactive', 'runner', 'interactive'],
  )
})

test('who has a model of the tier comes first; others follow with their nearest, the cheaper before the dearer', () => {
  const chain = [
    { provider: 'local', models: { budget: 'small' } },
    { provider: 'api', models: { premium: 'large', ultra: 'huge' } },
    { provider: 'bridge', models: {} },
  ] as const
  const of = (tier: Parameters<typeof candidatesFor>[0]) => candidatesFor(tier, chain).map(({ provider, model }) => `${provider} ${model}`)
  assert.deepEqual(of('premium'), ['api large', 'local small'])
  assert.deepEqual(of('standard'), ['local small', 'api large'])
  assert.deepEqual(of('tier_y'), ['local small', 'api huge'])
})

test('without a provider routing_info still says which tier, and which setting is missing', async () => {
  await using gateway = await start({})
  const { provider, model, tier, rule, missing, chain } = await gateway.call('routing_info', { workType: 'security' })
  assert.deepEqual([provider, model, tier, rule, missing, chain], [null, null, 'ultra', 'workType', 'plugins.providers.providers', []])
  await assert.rejects(gateway.call('routing_info', { complexity: 1.1 }), { code: 'BAD_REQUEST' })
  await assert.rejects(gateway.call('ask_model', { request: {} }), { code: 'UNAVAILABLE' })
})

test('work of the mode runner goes along runnerChain, and routing_info and the call say the same', async () => {
  await using model = await standIn(answers('openai'))
  const named = { api: provider(model.baseUrl), local: provider(model.baseUrl) }
  await using gateway = await start(named, { chain: ['api', 'local'], runnerChain: ['local'] })
  for (const query of [{}, { channelType: 'scheduler' }, { mode: 'runner' }, { channelType: 'scheduler', mode: 'interactive' }]) {
    const { chain, ...shown } = await gateway.call('routing_info', { ...query, complexity: 0.9 })
    const { routing } = await ask(gateway, { ...query, complexity: 0.9 })
    assert.deepEqual(routing, shown)
    const runs = shown.mode === 'runner'
    assert.deepEqual([shown.provider, chain[1].provider], runs ? ['local', 'api'] : ['api', 'local'])
  }
  assert.deepEqual((await gateway.call('routing_config')).runnerChain, ['local', 'api'])
})

test('routing_config shows the tables, as the settings have changed them', async () => {
  await using gateway = await start({}, { routing: { agents: { judge: 'ultra' }, channels: { mcp: 'premium' }, default: 'budget' } })
  const { tiers, agents, channels, tools, default: fallback } = await gateway.call('routing_config')
  assert.deepEqual(
    [tiers.length, agents.judge, channels.mcp, channels.chat_channel, tools.morning_sweep, fallback],
    [6, 'ultra', 'premium', 'budget', 'standard', 'budget'],
  )
})
