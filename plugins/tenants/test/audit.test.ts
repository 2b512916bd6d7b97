import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import { admin, assertNamesField, assertRefused, create, start } from './support.ts'

const enforced = { env: { ADMIN_API_TOKEN: 'the-admin-token-of-the-tests', RBAC_ENFORCE: 'on' } }
const ask = (gateway: TestGateway, apiKey: string, method: string, url: string, body?: object) =>
  gateway.inject({ method, url, headers: { 'x-api-key': apiKey, 'user-agent': 'agent/7' }, ...(body && { body }) })

test('an admin reads the trail of its own tenant: who, what, when, from where; nobody reads another’s', async () => {
  await using gateway = await start(enforced)
  const { apiKey: acme } = await create(gateway)
  const { apiKey: beta } = await create(gateway, { tenantId: 'beta' })
  const { keyId } = (await ask(gateway, acme, 'POST', '/api/keys', { label: 'crawler', role: 'admin' })).json()
  const { count, records, nextCursor } = (await ask(gateway, acme, 'GET', '/api/audit?name=key.made')).json()
  assert.deepEqual([count, nextCursor], [1, undefined])
  assert.deepEqual(
    [records[0].tool, records[0].decision, records[0].details, records[0].address, records[0].client, records[0].principal.role],
    ['keys.make', 'ok', { keyId, label: 'crawler', role: 'admin' }, '127.0.0.1', 'agent/7', 'owner'],
  )
  assert.equal((await ask(gateway, beta, 'GET', '/api/audit?name=key.made')).json().count, 0)
  assertRefused(await ask(gateway, beta, 'GET', '/api/audit?targetTenantId=acme'), 403, 'FORBIDDEN')
  const operators = await gateway.inject({ method: 'GET', url: '/api/audit?targetTenantId=acme&tool=keys.make' })
  assert.equal(operators.json().count, 2, 'the call, and what it recorded besides')
})

test('pages follow one another; members read nothing where roles are enforced; bad conditions are named', async () => {
  await using gateway = await start(enforced)
  const { apiKey: owner } = await create(gateway)
  const { apiKey: member } = (await ask(gateway, owner, 'POST', '/api/keys', {})).json()
  assertRefused(await ask(gateway, member, 'GET', '/api/audit'), 403, 'FORBIDDEN')
  const first = (await ask(gateway, owner, 'GET', '/api/audit?limit=1')).json()
  const second = (await ask(gateway, owner, 'GET', `/api/audit?limit=1&cursor=${first.nextCursor}`)).json()
  assert.deepEqual([first.records[0].decision, second.records[0].seq], ['FORBIDDEN', first.records[0].seq - 1])
  assert.equal((await ask(gateway, owner, 'GET', '/api/audit?outcome=refused')).json().count, 1)
  for (const [field, query] of [
    ['limit', 'limit=0'],
    ['from', 'from=yesterday'],
    ['until', 'until=2026-02-30'],
    ['from', 'from=2026-02-02&until=2026-02-01'],
    ['until', 'until=x'],
    ['cursor', 'cursor=x'],
  ] as const)
    assertNamesField(await ask(gateway, owner, 'GET', `/api/audit?${query}`), field)
  assert.equal((await admin(gateway, 'GET', '/api/audit')).status, 200)
})

test('a trail is verified over REST: untouched it is intact, a changed record is named, another’s is the operator’s to ask for', async () => {
  await using gateway = await start(enforced)
  const { apiKey: owner } = await create(gateway)
  await ask(gateway, owner, 'POST', '/api/keys', { label: 'crawler' })
  const whole = (await ask(gateway, owner, 'GET', '/api/audit/verify')).json()
  assert.deepEqual([whole.intact, whole.faultCount, whole.faults, whole.nextCursor], [true, 0, [], undefined])
  assert.ok(whole.records > 0 && whole.last.seq === whole.records)
  assertRefused(await ask(gateway, owner, 'GET', '/api/audit/verify?targetTenantId=local'), 403, 'FORBIDDEN')
  assertNamesField(await ask(gateway, owner, 'GET', '/api/audit/verify?cursor=x'), 'cursor')

  const folder = join(gateway.dataDir, 'audit', 'acme')
  const [day = ''] = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))
  await writeFile(join(folder, day), (await readFile(join(folder, day), 'utf8')).replace('"crawler"', '"sleeper"'))
  const changed = (await gateway.inject({ method: 'GET', url: '/api/audit/verify?targetTenantId=acme' })).json()
  assert.deepEqual([changed.intact, changed.faults[0].kind, changed.faults[0].file], [false, 'changed', day])
})

test('an operator who names no tenant, but a path or a word in capitals, is told of the field', async () => {
  await using gateway = await start(enforced)
  for (const url of ['/api/audit', '/api/audit/verify'])
    for (const name of ['..', 'ACME', 'a/b', '%00', 'x'.repeat(65)])
      assertNamesField(await gateway.inject({ method: 'GET', url: `${url}?targetTenantId=${name}` }), 'targetTenantId')
})
