import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import oauth from '@gateway/plugin-oauth'
import type { TestGateway } from '@gateway/testing'
import {
  ask,
  codeFor,
  type Flow,
  flow,
  form,
  keyOf,
  refresh,
  registered,
  start,
  type Tokens,
  tokensFor,
  whoIs,
} from '../../plugins/oauth/test/support.ts'
import { ADA, signInAs, startWithProviders } from '../../plugins/sign-in/test/provider-support.ts'
import { jar } from '../../plugins/sign-in/test/support.ts'
import { database, skip } from './nodes.ts'

/** Settings of gateways on one database. */
const together = () => ({ MONGODB_URL: database(), GATEWAY_HASH_KEY: '5a'.repeat(32) })

interface Grant extends Flow {
  readonly tokens: Tokens
  readonly keyId: string
  readonly tenantId: string
}

/** Ways in which a token ends, at one gateway. */
const ENDS: Readonly<Record<string, (grant: Grant) => Promise<unknown>>> = {
  async 'its person revokes it on the page'({ gateway, browser }) {
    const [{ grantId }] = (await ask(gateway, 'GET', '/api/oauth/grants', browser)).json().grants
    return ask(gateway, 'DELETE', `/api/oauth/grants/${grantId}`, browser)
  },
  'its client revokes it': ({ gateway, tokens }) => form(gateway, '/oauth/revoke', { token: tokens.access_token }),
  async 'its refresh token is used twice'({ gateway, clientId, tokens }) {
    await refresh(gateway, clientId, tokens.refresh_token)
    return refresh(gateway, clientId, tokens.refresh_token)
  },
  'its key is revoked': ({ gateway, keyId, tenantId }) => gateway.tenants.revokeKey(tenantId, keyId),
  'its tenant is suspended': ({ gateway, tenantId }) => gateway.tenants.suspend(tenantId, 'unpaid'),
}

describe(`sign-in at two gateways on one MongoDB${skip ? ` (${skip})` : ''}`, { skip: skip !== false }, () => {
  test('a token is refused at the next call of every gateway, however it ended at one of them', async () => {
    const env = together()
    await using here = await start(env)
    await using there = await start(env)
    let n = 0
    for (const [end, make] of Object.entries(ENDS)) {
      const tenantId = `tenant-${n++}`
      const of = await flow(here, { tenantId })
      const tokens = await tokensFor(of)
      for (const gateway of [here, there, here, there])
        assert.equal(await whoIs(gateway, tokens.access_token), `member of ${tenantId}`, end)
      await make({ ...of, tokens, tenantId })
      assert.deepEqual(
        [await whoIs(there, tokens.access_token), await whoIs(here, tokens.access_token)].map((answer) =>
          ['UNAUTHORIZED', 'TENANT_SUSPENDED'].includes(answer),
        ),
        [true, true],
        end,
      )
    }
  })

  test('a member whose role is lowered, or who is removed, at one gateway has no more at the other', async () => {
    const env = together()
    await using all = await startWithProviders([], { plugins: [oauth], config: { oauth: { registration: true } }, env })
    await using there = await start(env)
    const { gateway: here } = all
    const admin = { 'x-api-key': (await keyOf(here)).apiKey }
    const { path } = (await ask(there, 'POST', '/api/invitations', admin, { role: 'admin' })).json()
    const browser = jar(await signInAs(all, ADA, { invitation: path.split('=')[1] }))
    const { access_token: token } = await tokensFor({ gateway: here, browser, clientId: await registered(there) }, [
      'read',
      'work',
      'configure',
    ])
    const both = async (): Promise<string[]> => [await whoIs(here, token), await whoIs(there, token)]
    for (let i = 0; i < 2; i++) assert.deepEqual(await both(), ['admin of acme', 'admin of acme'])
    const [{ memberId }] = (await ask(there, 'GET', '/api/members', admin)).json().members
    await ask(there, 'PATCH', `/api/members/${memberId}`, admin, { role: 'viewer' })
    assert.deepEqual(await both(), ['viewer of acme', 'viewer of acme'])
    await ask(there, 'DELETE', `/api/members/${memberId}`, admin)
    assert.deepEqual(await both(), ['UNAUTHORIZED', 'UNAUTHORIZED'])
  })

  test('a code of one gateway is redeemed at the other once, and a second use ends its grant at both', async () => {
    const env = together()
    await using here = await start(env)
    await using there = await start(env)
    const code = await codeFor(await flow(here))
    const redeem = async (gateway: TestGateway): Promise<Tokens & { readonly error?: string }> =>
      (await form(gateway, '/oauth/token', code)).json()
    const { access_token: token } = await redeem(there)
    assert.equal(await whoIs(here, token), 'member of acme')
    assert.equal((await redeem(here)).error, 'invalid_grant')
    assert.deepEqual([await whoIs(there, token), await whoIs(here, token)], ['UNAUTHORIZED', 'UNAUTHORIZED'])
  })
})
