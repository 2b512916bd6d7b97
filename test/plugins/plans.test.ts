import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

// Limits of plans apply in the families that use them, as the distribution runs them.

let gateway: TestGateway
let takes = true
const pipeline = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(takes ? 202 : 500).end('{}'))
})

before(async () => {
  await new Promise<void>((resolve) => pipeline.listen(0, '127.0.0.1', resolve))
  gateway = await startTestGateway({
    plugins: standardPlugins,
    env: {
      PLUGIN_TOOLS_ENABLED: '1',
      NEW_APP_PIPELINE_URL: `http://127.0.0.1:${(pipeline.address() as AddressInfo).port}/make`,
      NEW_APP_PIPELINE_TOKEN: 'pipe-token',
      GATEWAY_PUBLIC_URL: 'https://gateway.example.com',
    },
    config: {
      entitlements: {
        plans: {
          solo: { features: { schedules: false }, limits: { generationCredits: 1 } },
          scale: { features: { pluginTools: false, schedules: false }, limits: { repos: 0, generationCredits: 0 } },
        },
      },
    },
  })
  for (const plan of ['free', 'solo', 'team'] as const) await gateway.tenants.create({ name: plan, plan, tenantId: plan })
})
after(async () => {
  await gateway.stop()
  pipeline.closeAllConnections()
  pipeline.close()
})

const on = (tenantId: string) => ({ as: { tenantId, kind: 'user', role: 'owner', id: 'ada' } }) as const
const artifactContent = 'You review pull requests.'
const manifest = {
  slug: 'reviewer',
  kind: 'agent',
  version: '1.0.0',
  title: 'Reviewer',
  description: 'Reviews.',
  tools: ['tasks_list'],
  manifestHash: createHash('sha256').update(artifactContent).digest('hex'),
}
const gated: readonly [feature: string, tool: string, args: object][] = [
  ['hostedBrain', 'brain_host_provision', {}],
  ['pluginTools', 'plugin_tools_register', { name: 'shout', schema: { type: 'object' }, handlerUrl: 'https://tools.example.com/x' }],
  ['marketplacePublish', 'marketplace_publish', { manifest, artifactContent }],
  ['ideaToApp', 'new_app', { idea: 'cats', name: 'cats' }],
]

for (const [feature, tool, args] of gated)
  test(`${tool} is for plans with ${feature}: refused on free, which leaves nothing behind, and there on solo`, async () => {
    await gateway.call('tasks_list', {}, on('free'))
    const kept = async () => ({ ...(await gateway.documents('free')), funnel: [], 'dashboard.firsts': [] })
    const before = await kept()
    await assert.rejects(gateway.call(tool, args, on('free')), {
      code: 'NOT_ENTITLED',
      status: 403,
      details: { feature, plan: 'free', plans: feature === 'pluginTools' ? ['solo', 'team'] : ['solo', 'team', 'scale'] },
    })
    assert.deepEqual(await kept(), before)
    await gateway.call(tool, args, on('solo'))
  })

test('schedules_create is for plans with schedules', async () => {
  const args = { name: 'n', cronExpr: '0 9 * * *', kind: 'tool', target: 'tasks_list' }
  await assert.rejects(gateway.call('schedules_create', args, on('solo')), { code: 'NOT_ENTITLED' })
  await gateway.call('schedules_create', args, on('free'))
})

test('a gift code raises what the plan allows: its limits are told, and what was refused before is done', async () => {
  await gateway.tenants.create({ name: 'gifted', plan: 'free', tenantId: 'gifted' })
  const host = () => gateway.call('brain_host_provision', {}, on('gifted'))
  await assert.rejects(host(), { code: 'NOT_ENTITLED' })
  const { code } = await gateway.call('gift-codes.mint', { plan: 'team' })
  await gateway.call('gift-codes.redeem', { code }, on('gifted'))
  const [gifted, team] = await Promise.all(['gifted', 'team'].map((id) => gateway.call('entitlements_status', {}, on(id))))
  assert.deepEqual([gifted.plan, gifted.features, gifted.limits.seats.limit], ['team', team.features, team.limits.seats.limit])
  await host()
})

test('a new app takes a credit of the month, and none when the pipeline did not take the idea', async () => {
  const used = async () => (await gateway.call('entitlements_status', {}, on('team'))).limits.generationCredits.used
  takes = false
  assert.equal((await gateway.call('new_app', { idea: 'dogs', name: 'dogs' }, on('team'))).pipeline.triggered, false)
  assert.equal(await used(), 0)
  takes = true
  assert.equal((await gateway.call('new_app', { idea: 'dogs', name: 'dogs' }, on('team'))).pipeline.triggered, true)
  await gateway.call('new_app', { idea: 'birds', name: 'birds', trigger: false }, on('team'))
  assert.equal(await used(), 1)
  await assert.rejects(
    gateway.call('new_app', { idea: 'mice', name: 'mice' }, on('solo')),
    (error: Error & { code?: string; details?: { limit?: string } }) =>
      error.code === 'PLAN_LIMIT_REACHED' && error.details?.limit === 'generationCredits',
  )
  assert.ok(!JSON.stringify(await gateway.call('repos_card_list', {}, on('solo'))).includes('mice'))
})

test('the roster and the cards have the repos of the plan and no more, also of callers side by side; what is there is still refreshed', async () => {
  await gateway.tenants.create({ name: 'small', plan: 'free', tenantId: 'small' })
  const small = on('small')
  await gateway.call('repos_upsert', { name: 'a' }, small)
  await gateway.call('repos_card_upsert', { repoName: 'a', description: 'the same repo' }, small)
  const asked = Array.from({ length: 8 }, (_, n) =>
    n % 2 === 0
      ? gateway.call('repos_upsert', { name: `r${n}` }, small)
      : gateway.call('repos_card_upsert', { repoName: `r${n}`, description: 'x' }, small),
  )
  const outcomes = await Promise.allSettled(asked)
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2)
  for (const one of outcomes) if (one.status === 'rejected') assert.equal(one.reason.code, 'PLAN_LIMIT_REACHED')
  assert.deepEqual((await gateway.call('entitlements_status', {}, small)).limits.repos, { limit: 3, used: 3, remaining: 0 })
  await gateway.call('repos_upsert', { name: 'a', group: 'again' }, small)
  await gateway.tenants.change('small', { plan: 'solo' })
  await gateway.call('repos_upsert', { name: 'more' }, small)
})

test('the operator’s own tenant is limited by no plan, whatever the settings say of it', async () => {
  for (const [, tool, args] of gated)
    await gateway.call(tool, tool === 'marketplace_publish' ? { ...args, manifest: { ...manifest, slug: 'own' } } : args)
  await gateway.call('repos_upsert', { name: 'a' })
  await gateway.call('schedules_create', { name: 'n', cronExpr: '0 9 * * *', kind: 'tool', target: 'tasks_list' })
})
