import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { as, decide, sha256, submit } from './support.ts'

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

test('an installed skill is in the tenant’s list of skills, and whole when it is asked for by name; to others it is unknown', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  const playbook = 'Look for the date first, then for the name.'
  await submit(gateway, { slug: 'file-finder', kind: 'skill', tools: [], manifestHash: sha256(playbook) }, 'author', playbook)
  await decide(gateway, 'publish', '1.0.0', 'file-finder')
  await gateway.call('marketplace_install', { slug: 'file-finder' }, as('buyer'))
  const installed = async (tenantId: string) =>
    (await gateway.call('skills_list', {}, as(tenantId))).skills.filter(({ origin }: { origin: string }) => origin === 'installed')
  const [one] = await installed('buyer')
  assert.deepEqual([one.name, one.description, 'playbook' in one], ['file-finder', 'Reviews pull requests.', false])
  assert.deepEqual([await installed('author'), await installed('other')], [[], []])
  const get = (tenantId: string) => gateway.call('skills.get', { name: 'file-finder' }, as(tenantId))
  assert.equal((await get('buyer')).playbook, playbook)
  await assert.rejects(get('other'), { code: 'NOT_FOUND' })
})
