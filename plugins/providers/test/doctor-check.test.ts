import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import outgoingPlugin from '@gateway/plugin-outgoing'
import { outgoing } from '@gateway/plugin-outgoing/api'
import type { DoctorCheck } from '@gateway/sdk'
import { modelsCheck } from '../src/contributions/doctor-check.ts'

/** A provider that lists these models, or answers with a status. */
async function lister(answer: readonly string[] | number) {
  const asked: { url: string | undefined; headers: IncomingHttpHeaders }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url, headers: request.headers })
    if (typeof answer === 'number') response.writeHead(answer).end()
    else response.end(JSON.stringify({ data: answer.map((id) => ({ id })) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    asked,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The findings of the check, as `gateway doctor` gets them: without a gateway. */
async function findingsFor(providers: object): Promise<string[]> {
  const provider = outgoingPlugin.provides.find(({ ref }) => ref.id === outgoing.id)
  const http = provider?.create(
    {
      config: {
        callsPerTenant: 4,
        callsPerOrigin: 4,
        calls: 8,
        connections: 4,
        maxRequestBytes: 1_024,
        failureThreshold: 5,
        cooldownSeconds: 30,
      },
    } as never,
    undefined as never,
  ) as AsyncDisposable
  try {
    const check = modelsCheck.create({ config: { providers }, http } as never, undefined as never) as DoctorCheck
    return [await check.check(undefined as never)].flat().map(({ outcome, detail }) => `${outcome} ${detail}`)
  } finally {
    await http[Symbol.asyncDispose]?.()
  }
}

test('each configured provider is asked for its models with its key, and a model of a tier that it does not list is named', async () => {
  await using one = await lister(['small', 'large'])
  await using other = await lister(['claude'])
  const found = await findingsFor({
    api: { wire: 'openai', baseUrl: `${one.baseUrl}/v1/`, apiKey: 'key-1', models: { budget: 'small', standard: 'medium' } },
    direct: { wire: 'anthropic', baseUrl: other.baseUrl, apiKey: 'key-2', models: { standard: 'claude' } },
  })
  assert.deepEqual(found, ['warn api lists 2 models, and not medium', 'ok direct lists 1 models'])
  assert.deepEqual([one.asked[0]?.url, one.asked[0]?.headers.authorization], ['/v1/models', 'Bearer key-1'])
  assert.deepEqual([other.asked[0]?.url, other.asked[0]?.headers['x-api-key']], ['/v1/models?limit=1000', 'key-2'])
})

test('a model of Google is known with and without the prefix that its list has', async () => {
  await using google = await lister(['models/gemini-a', 'models/gemini-b'])
  const of = (standard: string) => ({ wire: 'openai', baseUrl: google.baseUrl, models: { standard } })
  const found = await findingsFor({ plain: of('gemini-a'), prefixed: of('models/gemini-b'), wrong: of('gemini-c') })
  assert.deepEqual(found, ['ok plain lists 2 models', 'ok prefixed lists 2 models', 'warn wrong lists 2 models, and not gemini-c'])
})

test('a key that is refused, a missing list and a server that is away are told apart', async () => {
  await using refusing = await lister(401)
  await using bare = await lister(404)
  const of = (baseUrl: string) => ({ wire: 'openai', baseUrl, models: { standard: 'm' } })
  const found = await findingsFor({ api: of(refusing.baseUrl), local: of(bare.baseUrl), bridge: of('http://127.0.0.1:9') })
  assert.deepEqual(found, [
    'fail api refuses its key (HTTP 401)',
    'warn local has no list of models at its address (HTTP 404)',
    'fail bridge cannot be reached',
  ])
})

test('without a provider there is nothing to report, and no server of another wire is asked', async () => {
  await using other = await lister([])
  assert.deepEqual(await findingsFor({}), [])
  assert.deepEqual(await findingsFor({ api: { wire: 'ollama', baseUrl: other.baseUrl } }), [])
  assert.equal(other.asked.length, 0)
})
