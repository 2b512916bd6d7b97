import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { as, decide, submit } from './support.ts'

test('an installed agent is in the tenant’s list of agents, and in no other’s', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  await submit(gateway, { slug: 'deal-finder', tools: ['tasks_list'] })
  await decide(gateway, 'publish', '1.0.0', 'deal-finder')
  await gateway.call('marketplace_install', { slug: 'deal-finder' }, as('buyer'))
  const listed = async (tenantId: string) =>
    (await gateway.call('agents_list', {}, as(tenantId))).agents.filter(({ origin }: { origin: string }) => origin === 'installed')
  const [one] = await listed('buyer')
  assert.deepEqual([one.name, one.category, one.toolCount], ['deal-finder', 'dev', 1])
  assert.deepEqual([await listed('author'), await listed('other')], [[], []])
})
