import assert from 'node:assert/strict'
import { test } from 'node:test'
import budgets from '@gateway/plugin-budgets'
import outgoing from '@gateway/plugin-outgoing'
import providers from '@gateway/plugin-providers'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import modelEndpoint from '../src/index.ts'
import { provider } from './support.ts'

const MESSAGES = { 'anthropic-version': '2023-06-01' }
const plugins = [outgoing, providers, budgets, modelEndpoint]
const config = { providers: { providers: { api: provider('openai', 'http://127.0.0.1:9') } } }

const ask = (gateway: TestGateway, url: string, headers: Record<string, string> = {}, body: object = {}) =>
  gateway.inject({ method: 'POST', url, headers, body })

/** Members by which the clients of each wire decide: the status, the kind, and for one wire the code. */
async function refusals(gateway: TestGateway, headers: Record<string, string>, body?: object) {
  const chat = await ask(gateway, '/v1/chat/completions', headers, body)
  const messages = await ask(gateway, '/v1/messages', headers, body)
  const { error, ...others } = chat.json()
  assert.deepEqual([Object.keys(error), others], [['message', 'type', 'param', 'code'], {}])
  const ofMessages = messages.json()
  assert.deepEqual([ofMessages.type, Object.keys(ofMessages.error)], ['error', ['type', 'message']])
  return [chat.status, error.type, error.code, messages.status, ofMessages.error.type]
}

test('a wrong key, a missing capability and too many calls are refused in the form of the wire', async () => {
  await using gateway = await startTestGateway({ plugins, config, env: { GATEWAY_CALLS_PER_MINUTE_PER_KEY: '4', RBAC_ENFORCE: '1' } })
  await gateway.tenants.create({ name: 'Acme', plan: 'team', tenantId: 'acme' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'viewer', environment: 'live' })
  const wrong = await refusals(gateway, { authorization: 'Bearer gw_live_wrong' })
  assert.deepEqual(wrong, [401, 'invalid_request_error', 'invalid_api_key', 401, 'authentication_error'])
  const viewer = { 'x-api-key': apiKey }
  assert.deepEqual(await refusals(gateway, viewer), [403, 'permission_error', 'FORBIDDEN', 403, 'permission_error'])
  await refusals(gateway, viewer)
  assert.deepEqual(await refusals(gateway, viewer), [429, 'rate_limit_error', 'RATE_LIMITED', 429, 'rate_limit_error'])
  const { headers } = await ask(gateway, '/v1/responses', viewer)
  assert.ok(Number(headers['retry-after']) > 0)
})

test('an unknown path, a wrong method and bad arguments are refused in the form of the wire that the client speaks', async () => {
  await using gateway = await startTestGateway({ plugins, config })
  const [one, other] = [await ask(gateway, '/v1/threads'), await ask(gateway, '/v1/threads', MESSAGES)]
  assert.deepEqual([one.status, one.json().error.code, other.status, other.json().error.type], [404, 'NOT_FOUND', 404, 'not_found_error'])
  const method = await gateway.inject({ method: 'GET', url: '/v1/messages' })
  assert.deepEqual([method.status, method.json().error.type, method.headers.allow], [405, 'invalid_request_error', 'OPTIONS, POST'])
  const models = await gateway.inject({ method: 'GET', url: '/v1/models?limit=0', headers: MESSAGES })
  assert.deepEqual([models.status, models.json().error.type], [400, 'invalid_request_error'])
  const bad = await gateway.inject({ method: 'GET', url: '/v1/models?limit=0' })
  assert.deepEqual([bad.status, bad.json().error.param], [400, 'limit'])
  const elsewhere = await gateway.inject({ method: 'GET', url: '/v2/models' })
  assert.equal(elsewhere.json().code, 'NOT_FOUND')
})

test('a provider that does not answer is 503 in the form of the wire', async () => {
  await using gateway = await startTestGateway({ plugins, config: { providers: { ...config.providers, maxHops: 0 } } })
  const asked = { model: 'model-s', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }
  assert.deepEqual(await refusals(gateway, {}, asked), [503, 'server_error', 'UNAVAILABLE', 503, 'overloaded_error'])
})
