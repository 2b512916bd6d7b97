import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Tool } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { sampleValue } from './support/sample-arguments.ts'
import { type OpenTransport, type Transport, transports } from './support/transports.ts'

/**
 * Every tool, over every transport, on gateways in the same state: the same result, the same refusal, the same audit row.
 * The catalogue is walked, so a new tool is covered without being named here.
 */
const tools = standardPlugins.flatMap((plugin) => plugin.tools)

const cases = (tool: Tool): [string, Record<string, unknown>][] => [
  ['no arguments', {}],
  ['the required arguments', sampleValue(tool.input, false) as Record<string, unknown>],
  ['all arguments', sampleValue(tool.input, true) as Record<string, unknown>],
  ['a foreign tenantId', { ...(sampleValue(tool.input, false) as object), tenantId: 'someone-else' }],
  ['an unknown argument', { ...(sampleValue(tool.input, false) as object), noSuchArgument: 'x' }],
]

interface Subject {
  readonly name: string
  readonly transport: Transport
  readonly gateway: TestGateway
  readonly open: OpenTransport
}

const ADMIN = 'an-admin-token-of-the-tests'

/** Opens a gateway for each transport: as the local operator, or with the API key of a new tenant's viewer. */
async function openSubjects(as: 'operator' | 'viewer'): Promise<readonly Subject[]> {
  const env = as === 'operator' ? {} : { RBAC_ENFORCE: '1', ADMIN_API_TOKEN: ADMIN }
  return await Promise.all(
    Object.entries(transports).map(async ([name, transport]) => {
      // A slow machine must not leave a part out of one bundle and not of another.
      const config = { context: { partMilliseconds: 60_000 } }
      const gateway = await startTestGateway({ plugins: standardPlugins, env, config, listen: name.includes('stdio') })
      return { name, transport, gateway, open: await transport.open(gateway, as === 'viewer' ? await viewerKey(gateway) : undefined) }
    }),
  )
}

async function viewerKey(gateway: TestGateway): Promise<string> {
  const create = async (url: string, body: object) =>
    (await gateway.inject({ method: 'POST', url, headers: { 'x-admin-token': ADMIN }, body })).json()
  await create('/api/tenants', { name: 'Acme', tenantId: 'acme' })
  return (await create('/api/tenants/acme/keys', { role: 'viewer' })).apiKey
}

async function close(subjects: readonly Subject[]): Promise<void> {
  for (const { open } of subjects) await open.close()
  for (const { gateway } of subjects) await gateway.stop()
}

/**
 * Ids differ from gateway to gateway only by their random part; so does the folder of each, a hash over its name or over an id, and the
 * time at which the system wrote a file.
 */
const sameIds = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null)
      .replaceAll(/gateway-test-\w{6}/g, 'FOLDER')
      .replaceAll(/("stableSha256":")[0-9a-f]{64}/g, '$1HASH')
      .replaceAll(/\bmem-[0-9a-f]{40}\b/g, 'mem-HASH')
      .replaceAll(/("updatedAt":")(?!2026-01-05)[^"]+/g, '$1TIME')
      .replaceAll(/\b(?:([a-z]+-)[0-9a-z]{22}|(key:)\w+)\b/g, '$1$2ID'),
  )

/** Measurements differ from process to process: for these, only the shape must be the same on all transports. */
const MEASURED = ['health_status', 'health_alerts_run', 'perf_stats', 'slo_status', 'usage_summary']
/** A tenant's viewer is refused for another reason: the folders of this machine are the operator's. */
const OF_THE_OPERATORS_FILES = ['get_pr_impact', 'triage_prs', 'get_neighbors', 'shortest_path']
const namesOf = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (_name, value) => (typeof value === 'number' ? 0 : Array.isArray(value) ? [] : value)))

/** Makes the call over every transport; its outcome and its audit record must equal those of the first. */
async function assertSame(subjects: readonly Subject[], tool: Tool, args: Record<string, unknown>, tenantId?: string) {
  const seen = await Promise.all(
    subjects.map(async ({ name, transport, gateway, open }) => {
      const known = (await gateway.audit(tenantId)).length
      const answer = await open.call(tool, args)
      const rows = (await gateway.audit(tenantId)).slice(known)
      for (const { via } of rows) assert.equal(via, transport.via, `${name} is audited as what it is`)
      return {
        name,
        answer: sameIds(MEASURED.includes(tool.name) ? namesOf(answer) : answer),
        rows: sameIds(rows.map((row) => comparable(row, tool))),
      }
    }),
  )
  const [first, ...others] = seen
  for (const { name, answer, rows } of others) {
    assert.deepEqual(answer, first?.answer, `${name} answers as ${first?.name}`)
    assert.deepEqual(rows, first?.rows, `${name} is audited as ${first?.name}`)
  }
  return first?.answer as { ok: boolean; value: { code?: string } }
}

/** Each transport has another client. A query can carry text only, so the digest of a read by GET covers other arguments. */
function comparable(
  { requestId: _id, via: _via, prev: _prev, hash: _hash, client: _client, argsDigest, ...row }: Readonly<Record<string, unknown>>,
  tool: Tool,
) {
  return { ...row, argsDigest: tool.effect === 'read' ? undefined : argsDigest }
}

describe('every transport gives the same answer', () => {
  let subjects: readonly Subject[] = []
  before(async () => {
    subjects = await openSubjects('operator')
  })
  after(() => close(subjects))

  for (const tool of tools) {
    for (const [name, args] of cases(tool)) {
      it(`${tool.name} with ${name}`, () => assertSame(subjects, tool, args).then(() => undefined))
    }
  }

  it('an unknown tool is the same error over every transport of MCP', async () => {
    for (const { transport, open } of subjects) {
      if (transport.via === 'rest') continue
      const { value } = await open.call({ name: 'no_such_tool' }, {})
      assert.deepEqual(value, { code: -32602, message: 'Unknown tool: no_such_tool' })
    }
  })
})

describe('every transport lets a viewer do the same', () => {
  let subjects: readonly Subject[] = []
  before(async () => {
    subjects = await openSubjects('viewer')
  })
  after(() => close(subjects))

  for (const tool of tools) {
    it(`${tool.name} is ${tool.capability === 'read' ? 'for viewers' : 'refused'}`, async () => {
      const { value } = await assertSame(subjects, tool, sampleValue(tool.input, false) as Record<string, unknown>, 'acme')
      assert.equal(value.code === 'FORBIDDEN', tool.capability !== 'read' || OF_THE_OPERATORS_FILES.includes(tool.name))
    })
  }

  it('a tenant that is suspended is refused on its next call, over every transport', async () => {
    for (const { name, gateway, open } of subjects) {
      const headers = { 'x-admin-token': ADMIN }
      assert.equal((await gateway.inject({ method: 'POST', url: '/api/tenants/acme/suspend', headers, body: {} })).status, 200)
      const { ok, value } = await open.call({ name: 'tasks_list' }, {})
      const { code, data } = value as { code: unknown; data?: { code: string } }
      assert.deepEqual([ok, data?.code ?? code], [false, 'TENANT_SUSPENDED'], name)
    }
  })
})
