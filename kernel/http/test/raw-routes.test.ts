import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { closed, contribute, credentialCheck, definePlugin, defineRawRoute, Forbidden, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const echo = defineRawRoute({
  name: 'pipes.echo',
  description: 'Send back what comes.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /pipes/:owner/echo',
  idleMs: 1_000,
  credential: 'own',
  input: Type.Object({ owner: Type.String(), refuse: Type.Optional(Type.Boolean()) }, closed),
  async handle({ refuse }, _uses, ctx, { body, answer, headers }) {
    if (refuse) throw Forbidden({ message: 'Not today.' })
    const out = answer(200, { 'content-type': headers['content-type'] as string, 'x-tenant': ctx.tenantId, 'x-who': ctx.principal.id })
    await pipeline(body, out, { signal: ctx.signal })
  },
})
/** Tenants whose secrets were asked about. */
const asked: string[] = []
const check = contribute(credentialCheck, {
  create: (_uses, ctx) => ({
    routes: [echo.name],
    async check(secret) {
      asked.push(ctx.tenantId)
      return secret === `secret of ${ctx.tenantId}` ? { id: 'pipe', role: 'member' } : undefined
    },
  }),
})
const pipes = definePlugin({ id: 'pipes', sdk: '^1.0.0', description: 'Pipes.', routes: [echo], contributes: [check] })

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [pipes], listen: true })
  for (const tenantId of ['acme', 'globex']) await gateway.tenants.create({ tenantId, name: tenantId, plan: 'team' })
})
after(() => gateway.stop())

const basic = (secret: string) => `Basic ${Buffer.from(`any:${secret}`).toString('base64')}`
const post = (path: string, { authorization = basic('secret of acme'), body = 'hello' }: { authorization?: string; body?: string } = {}) =>
  fetch(`${gateway.url}${path}`, { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body })

test('bodies go through as they are, whatever their type, under the tenant of the path', async () => {
  const answer = await post('/pipes/acme/echo', { body: '{ not json' })
  assert.equal(answer.status, 200)
  assert.equal(await answer.text(), '{ not json')
  assert.equal(answer.headers.get('x-tenant'), 'acme')
  assert.equal(answer.headers.get('x-who'), 'pipe')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
})

test('only the secret of that tenant is taken, as a password or a Bearer token; loopback is no credential', async () => {
  assert.equal((await post('/pipes/acme/echo', { authorization: 'Bearer secret' })).status, 401)
  const refused = await post('/pipes/globex/echo')
  assert.equal(refused.status, 401)
  assert.match(refused.headers.get('www-authenticate') ?? '', /^Basic realm=/)
  const none = await fetch(`${gateway.url}/pipes/acme/echo`, { method: 'POST', body: 'x' })
  assert.equal(none.status, 401)
})

test('names that are no tenant’s, or a suspended one’s, are refused before anything is asked about them, in the same words', async () => {
  await gateway.tenants.create({ tenantId: 'closed', name: 'Closed', plan: 'team' })
  await gateway.tenants.suspend('closed', 'for the test')
  const words = (await (await post('/pipes/globex/echo')).json()) as object
  asked.length = 0
  const names = ['nobody', '_gateway', '__proto__', 'x%00', '..%2f..', 'closed', 'x'.repeat(5_000)]
  for (const name of names) {
    const refused = await post(`/pipes/${name}/echo`, { authorization: basic(`secret of ${decodeURIComponent(name).slice(0, 100)}`) })
    assert.equal(refused.status, 401, name)
    assert.deepEqual({ ...((await refused.json()) as object), requestId: '' }, { ...words, requestId: '' }, name)
  }
  assert.deepEqual(asked, [])
})

test('a guesser of secrets has to wait before more are checked; a secret that was valid before still passes, and a new one after the wait', async () => {
  assert.equal((await post('/pipes/acme/echo')).status, 200)
  const statuses = new Set<number>()
  for (let n = 0; n < 40; n++) statuses.add((await post('/pipes/acme/echo', { authorization: basic(`guess ${n}`) })).status)
  assert.ok(statuses.has(429))
  asked.length = 0
  for (let n = 40; n < 60; n++) await post(`/pipes/${n % 2 === 0 ? 'acme' : 'globex'}/echo`, { authorization: basic(`guess ${n}`) })
  assert.deepEqual(asked, [], 'nothing is looked up for an address that has to wait')
  assert.equal((await post('/pipes/acme/echo')).status, 200)
  const own = { authorization: basic('secret of globex') }
  assert.equal((await post('/pipes/globex/echo', own)).status, 429)
  gateway.clock.advance(61)
  assert.equal((await post('/pipes/globex/echo', own)).status, 200)
})

test('a refusal before the answer is an error record, and the call stands in the audit trail', async () => {
  const refused = await post('/pipes/acme/echo?refuse=true')
  assert.equal(refused.status, 403)
  assert.equal(((await refused.json()) as { code: string }).code, 'FORBIDDEN')
  const decisions = (await gateway.audit('acme')).map(({ tool, decision }) => `${tool} ${decision}`)
  assert.ok(decisions.includes('pipes.echo ok'))
  assert.ok(decisions.includes('pipes.echo FORBIDDEN'))
})

test('a body larger than any limit of JSON goes through', async () => {
  const body = 'x'.repeat(20_000_000)
  assert.equal((await (await post('/pipes/acme/echo', { body })).text()).length, body.length)
})

test('another method is told which there is, as on any path', async () => {
  const answer = await fetch(`${gateway.url}/pipes/acme/echo`, { method: 'PUT', body: 'x' })
  assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'OPTIONS, POST'])
})

test('a client that sends no more is hung up on', async () => {
  const { port } = new URL(gateway.url)
  const slow = request({
    port,
    method: 'POST',
    path: '/pipes/acme/echo',
    headers: { authorization: basic('secret of acme'), 'content-type': 'a/b' },
  })
  slow.write('begun')
  const [answer] = await once(slow, 'response')
  answer.resume()
  await assert.rejects(once(answer, 'end'))
})

test('a raw route is no tool, and is not called without streams', async () => {
  const answer = await fetch(`${gateway.url}/api/tools/pipes.echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  assert.equal(answer.status, 404)
})
