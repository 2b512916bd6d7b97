import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '@gateway/cli'
import signIn from '@gateway/plugin-sign-in'
import tenants from '@gateway/plugin-tenants'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const LOCAL = { GATEWAY_LOCAL_TOKEN: 'a-local-token-of-some-length-0123456789' }
/** No address is trusted: a browser has to sign in. */
const start = (plugins = [tenants, signIn]) => startTestGateway({ plugins, listen: true, env: { GATEWAY_LOOPBACK_TRUST: '0', ...LOCAL } })
const dashboard = (gateway: TestGateway, env: Record<string, string>, ...argv: string[]) =>
  runCommand({ plugins: async () => [], argv: ['dashboard', ...argv], env: { HOME: '/nonexistent', GATEWAY_URL: gateway.url, ...env } })

test('where one has to sign in, the address of the dashboard signs a browser in as the caller, once', async () => {
  await using gateway = await start()
  const { url, expiresAt } = (await dashboard(gateway, LOCAL, '--json')).json()
  assert.equal(expiresAt, '2026-01-05T09:02:00.000Z')
  const [, tenant = '', secret = ''] = /\/dashboard\/#code=([^:]+):(\S+)$/.exec(url) ?? []
  assert.ok(url.startsWith(`${gateway.url}/dashboard/`))
  const exchange = () =>
    gateway.inject({ method: 'POST', url: `/api/sign-in/code/${tenant}`, headers: { authorization: `Bearer ${secret}` } })
  assert.equal((await exchange()).status, 201)
  assert.equal((await exchange()).status, 401)
  assert.match((await dashboard(gateway, LOCAL)).stdout, /\/dashboard\/#code=local:\S+\n$/)
})

test('without a credential, and without the family, it is the plain address', async () => {
  await using gateway = await start()
  const plain = await dashboard(gateway, {})
  assert.deepEqual([plain.code, plain.stdout], [0, `${gateway.url}/\n`], plain.stderr)
  assert.deepEqual((await dashboard(gateway, {}, '--json')).json(), { url: `${gateway.url}/` })
  await using without = await start([tenants])
  assert.equal((await dashboard(without, LOCAL)).stdout, `${without.url}/\n`)
})
