import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSecretName } from '@gateway/sdk/redact'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { keptKeys } from './kept-keys.ts'
import { requestWithKey } from './keyed-transports.ts'

const SHOWN_ONCE = /shown only|shown (?:here |this )?once|the token this once|once, within/i
const CALLS = [
  { method: 'POST', url: '/api/gift-codes', body: { plan: 'team' }, secrets: ['code'] },
  { method: 'POST', url: '/api/sign-in/codes', body: {}, secrets: ['code', 'path'] },
  { method: 'POST', url: '/api/invitations', body: {}, secrets: ['path', 'url'] },
] as const

/** Names of the members that a schema or their name marks as secret. */
function secretsOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, ...rest } = schema as { readonly properties?: Record<string, { readonly secret?: boolean }> }
  const own = Object.entries(properties).flatMap(([name, part]) => (part.secret || isSecretName(name) ? [name] : secretsOf(part)))
  return [...own, ...Object.values(rest).flatMap(secretsOf)]
}

test('every write that shows something only once marks it as secret in its output', () => {
  const writes = standardPlugins.flatMap(({ tools, routes }) => [...tools, ...routes]).filter(({ effect }) => effect !== 'read')
  const showing = writes.filter(({ description, output }) => SHOWN_ONCE.test(description) || SHOWN_ONCE.test(JSON.stringify(output)))
  assert.ok(showing.length >= 10)
  const open = showing.filter(({ output }) => secretsOf(output).length === 0).map(({ name }) => name)
  assert.deepEqual(open, [])
})

test('codes and links that are shown once are not stored with their key, and a replay omits them', async () => {
  await using gateway = await startTestGateway({
    plugins: standardPlugins,
    env: { GATEWAY_PUBLIC_URL: 'https://gateway.example', ADMIN_API_TOKEN: 'an-admin-token-of-the-tests' },
  })
  for (const { secrets, ...request } of CALLS) {
    const send = () => requestWithKey(gateway, { ...request, headers: { 'x-admin-token': 'an-admin-token-of-the-tests' } }, 'once')
    const first = await send()
    const again = await send()
    assert.deepEqual([first.ok, again.replayed, again.omitted], [true, true, true], JSON.stringify([request.url, first, again]))
    const stored = JSON.stringify(keptKeys(gateway.dataDir))
    assert.match(stored, /not stored/)
    for (const name of secrets) {
      assert.match(String(again.value[name]), /not stored/)
      const secret = String(first.value[name])
      assert.ok(!stored.includes(secret), `${request.url} ${name}`)
    }
  }
})
