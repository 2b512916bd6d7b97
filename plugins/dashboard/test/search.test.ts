import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin, searchSource } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import dashboard from '../src/index.ts'

const beds = ['Roses', 'The rose garden', 'Tulips']
const source = (kind: string, over: object = {}) =>
  contribute(searchSource, {
    create: () => ({
      kind,
      find: async (_query: string, limit: number) =>
        beds.slice(0, limit).map((title, index) => ({ id: `${index}`, title, link: { to: '/beds/:bed', with: { bed: title } } })),
      ...over,
    }),
  })
const garden = definePlugin({
  id: 'garden',
  sdk: '^1.0.0',
  description: 'A garden.',
  contributes: [
    source('bed', {
      names: { fields: ['bed'], list: async () => ['Roses'] },
      titles: async (ids: readonly string[]) => Object.fromEntries(ids.flatMap((id) => (beds[Number(id)] ? [[id, beds[Number(id)]]] : []))),
    }),
    source('broken', { find: () => Promise.reject(new Error('broken')) }),
    source('secret', {
      capability: 'operator',
      names: { fields: ['vault'], list: async () => ['one'] },
      titles: async () => ({ 1: 'A vault' }),
    }),
  ],
})

const search = async (gateway: TestGateway, q: string, headers: Record<string, string> = {}) =>
  (await gateway.inject({ method: 'GET', url: `/api/dashboard/search?q=${encodeURIComponent(q)}`, headers })).json()

test('a search asks all families that the caller may ask, puts the nearest first, and names the kinds that failed', async () => {
  await using gateway = await startTestGateway({ plugins: [dashboard, garden], env: { RBAC_ENFORCE: 'true' } })
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'viewer', environment: 'live' })
  const { hits, failed } = await search(gateway, 'tulips', { 'x-api-key': apiKey })
  assert.deepEqual(hits[0], { kind: 'bed', id: '2', title: 'Tulips', to: '/beds/:bed', with: { bed: 'Tulips' } })
  assert.deepEqual([hits.length, failed], [3, ['broken']])
  assert.equal((await search(gateway, 'tulips')).hits.length, 6, 'the operator also finds what is for operators')
})

test('a search without a word is refused', async () => {
  await using gateway = await startTestGateway({ plugins: [dashboard] })
  assert.equal((await gateway.inject({ method: 'GET', url: '/api/dashboard/search?q=' })).status, 400)
})

test('forms are offered the names that the caller may find, by the field that takes them', async () => {
  await using gateway = await startTestGateway({ plugins: [dashboard, garden], env: { RBAC_ENFORCE: 'true' } })
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'viewer', environment: 'live' })
  const names = async (headers: Record<string, string> = {}) =>
    (await gateway.inject({ method: 'GET', url: '/api/dashboard/names', headers })).json().fields
  assert.deepEqual(await names({ 'x-api-key': apiKey }), { bed: ['Roses'] })
  assert.deepEqual(await names(), { bed: ['Roses'], vault: ['one'] })
})

test('ids are answered with the titles of their records, of a kind that the caller may find', async () => {
  await using gateway = await startTestGateway({ plugins: [dashboard, garden], env: { RBAC_ENFORCE: 'true' } })
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'viewer', environment: 'live' })
  const ask = async (query: string, headers: Record<string, string> = {}) =>
    gateway.inject({ method: 'GET', url: `/api/dashboard/titles?${query}`, headers })
  const titles = async (query: string, headers: Record<string, string> = {}) => (await ask(query, headers)).json().titles
  assert.deepEqual(await titles('kind=bed&ids=0&ids=2&ids=9'), { 0: 'Roses', 2: 'Tulips' })
  assert.deepEqual(await titles('kind=bed&ids=0'), { 0: 'Roses' })
  assert.deepEqual([await titles('kind=broken&ids=0'), await titles('kind=none&ids=0')], [{}, {}])
  assert.deepEqual(await titles('kind=secret&ids=1', { 'x-api-key': apiKey }), {})
  assert.deepEqual(await titles('kind=secret&ids=1'), { 1: 'A vault' })
  const refused = await ask(`kind=bed${'&ids=1'.repeat(101)}`)
  assert.deepEqual([refused.status, /ids/.test(refused.json().error)], [400, true])
})

test('a cron expression is answered with its next three runs, and a wrong one with what is wrong', async () => {
  await using gateway = await startTestGateway({ plugins: [dashboard] })
  const { nextRuns } = await gateway.call('dashboard.cron', { expression: '0 9 * * *' })
  assert.equal(nextRuns.length, 3)
  for (const time of nextRuns) assert.match(time, /T09:00:00\.000Z$/)
  await assert.rejects(gateway.call('dashboard.cron', { expression: '0 25 * * *' }), { code: 'BAD_REQUEST' })
})
