import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import tenants from '@gateway/plugin-tenants'
import { type Capability, closed, defineCollection, definePlugin, defineTool, type Role, type Tool, Type } from '@gateway/sdk'
import { type InjectResponse, startTestGateway, type TestGateway } from '@gateway/testing'
import { SignJWT } from 'jose'

/** Every role, capability and transport, in shadow mode and enforced: exactly the documented permissions. */

const capabilities: readonly Capability[] = ['read', 'work', 'configure', 'members', 'billing', 'operator']
const held: Readonly<Record<'viewer' | 'member' | 'admin' | 'owner' | 'operator', readonly Capability[]>> = {
  viewer: ['read'],
  member: ['read', 'work'],
  admin: ['read', 'work', 'configure', 'members'],
  owner: ['read', 'work', 'configure', 'members', 'billing'],
  operator: capabilities,
}
const roles = Object.keys(held) as (keyof typeof held)[]
/** The lowest role with a capability: a refused caller has to ask a person with this role. */
const leastRole: Readonly<Record<Capability, Role>> = {
  read: 'viewer',
  work: 'member',
  configure: 'admin',
  members: 'admin',
  billing: 'owner',
  operator: 'operator',
}

const marks = defineCollection('marks', { schema: Type.Object({ markId: Type.String() }, closed), key: 'markId' })

/** Leaves a mark in the store, to detect a call that was refused and ran anyway. */
const marking = (capability: Capability, effect: 'read' | 'write'): Tool =>
  defineTool({
    name: `${effect}_with_${capability}`,
    description: 'Leave a mark.',
    capability,
    effect,
    rest: `POST /api/marks/${effect}/${capability}`,
    input: Type.Object({}, closed),
    output: Type.Object({}, closed),
    uses: { marks },
    async handle(_, { marks }, ctx) {
      await marks.insert({ markId: ctx.newId('mark-') })
      return {}
    },
  })
const writing = Object.fromEntries(capabilities.map((capability) => [capability, marking(capability, 'write')])) as Record<Capability, Tool>
const reading = marking('billing', 'read')
const plugin = definePlugin({
  id: 'marks',
  sdk: '^1.0.0',
  description: 'Leaves marks.',
  collections: [marks],
  tools: [...Object.values(writing), reading],
})

type Headers = Record<string, string>
type Transport = (
  gateway: TestGateway,
  tool: Tool,
  headers: Headers,
) => Promise<{ refused: boolean; status: number; record: { code?: string; error?: string } }>
const seen = (response: InjectResponse) => ({ refused: response.status >= 400, status: response.status, record: response.json() })
const transports: Readonly<Record<string, Transport>> = {
  'MCP tools/call': async (gateway, { name }, headers) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }
    const { result } = (await gateway.inject({ method: 'POST', url: '/mcp', headers, body })).json()
    // A refusal is a result over MCP; its record carries the content of REST's status.
    return { refused: result.isError === true, status: result.isError ? 403 : 200, record: result.structuredContent }
  },
  'POST /api/tools/{name}': async (gateway, { name }, headers) =>
    seen(await gateway.inject({ method: 'POST', url: `/api/tools/${name}`, headers, body: {} })),
  'its own binding': async (gateway, { rest = '' }, headers) =>
    seen(await gateway.inject({ method: 'POST', url: rest.replace('POST ', ''), headers, body: {} })),
}

const ADMIN = 'the-admin-token-of-the-tests'
const LOCAL = 'the-local-token-of-the-tests'
const SECRET = 'a-session-secret-of-some-length-0123456789'

interface Caller {
  readonly by: string
  readonly tenantId: string
  readonly principal: string
  readonly headers: Headers
}

/** Returns a caller per way to obtain a role: by key and by session; the operator's by the local token and by being local. */
async function callersOf(gateway: TestGateway, role: (typeof roles)[number]): Promise<Caller[]> {
  if (role === 'operator') {
    const local = { tenantId: 'local', principal: 'operator' }
    return [
      { by: 'local token', ...local, headers: { authorization: `Bearer ${LOCAL}` } },
      { by: 'loopback', ...local, headers: {} },
    ]
  }
  const response = await gateway.inject({
    method: 'POST',
    url: '/api/tenants/acme/keys',
    headers: { 'x-admin-token': ADMIN },
    body: { role },
  })
  const apiKey: string = response.json().apiKey
  const token = await new SignJWT({ sub: `a-${role}`, tenantId: 'acme', role })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(new Date(gateway.clock.now() + 3_600_000))
    .sign(new TextEncoder().encode(SECRET))
  return [
    { by: 'API key', tenantId: 'acme', principal: `key:${apiKey.split('_')[2]}`, headers: { 'x-api-key': apiKey } },
    { by: 'session', tenantId: 'acme', principal: `a-${role}`, headers: { authorization: `Bearer ${token}` } },
  ]
}

async function start(enforce: string): Promise<TestGateway> {
  const env = { RBAC_ENFORCE: enforce, ADMIN_API_TOKEN: ADMIN, GATEWAY_LOCAL_TOKEN: LOCAL, GATEWAY_JWT_SECRET: SECRET }
  const gateway = await startTestGateway({ plugins: [plugin, tenants], env })
  await gateway.inject({
    method: 'POST',
    url: '/api/tenants',
    headers: { 'x-admin-token': ADMIN },
    body: { name: 'Acme', tenantId: 'acme' },
  })
  return gateway
}

const shadowReport = async (gateway: TestGateway) => (await gateway.inject({ method: 'GET', url: '/api/rbac/shadow' })).json()

/** Returns the traces that a call can leave. */
async function traces(gateway: TestGateway, { tenantId, principal }: Caller, operation: string) {
  const entries: Record<string, unknown>[] = (await shadowReport(gateway)).entries
  return {
    marks: (await gateway.documents(tenantId)).marks?.length ?? 0,
    audit: await gateway.audit(tenantId),
    shadow: gateway.logs.filter(({ event }) => event === 'rbac.shadow'),
    counted: Number(entries.find((entry) => entry.principal === principal && entry.operation === operation)?.count ?? 0),
  }
}

async function hold(
  gateway: TestGateway,
  enforced: boolean,
  role: (typeof roles)[number],
  tool: Tool,
  caller: Caller,
  transport: Transport,
): Promise<void> {
  const before = await traces(gateway, caller, tool.name)
  const answer = await transport(gateway, tool, caller.headers)
  const after = await traces(gateway, caller, tool.name)
  const has = held[role].includes(tool.capability)
  const refused = !has && (enforced || tool.capability === 'operator')
  const rows = after.audit.slice(before.audit.length)

  assert.equal(answer.refused, refused, JSON.stringify(answer.record))
  assert.equal(after.marks - before.marks, refused ? 0 : 1)
  if (refused) {
    assert.deepEqual([answer.status, answer.record.code], [403, 'FORBIDDEN'])
    assert.match(
      answer.record.error ?? '',
      new RegExp(`\\b${tool.capability}\\b.*\\b${leastRole[tool.capability]}\\b`),
      'it names what is missing and who has it',
    )
  }
  // A caller's same refusal within a minute is counted, not written again.
  const isCounted =
    refused &&
    rows.length === 0 &&
    before.audit.some(
      (row) =>
        row.tool === tool.name &&
        row.decision === 'FORBIDDEN' &&
        isDeepStrictEqual(row.principal, { id: caller.principal, kind: kindOf(caller), role }),
    )
  const audited = !isCounted && (refused || tool.effect !== 'read')
  assert.deepEqual(
    rows.map((row) => [row.name, row.tool, row.decision, row.principal]),
    audited ? [['tool.call', tool.name, refused ? 'FORBIDDEN' : 'ok', { id: caller.principal, kind: kindOf(caller), role }]] : [],
  )
  const shadowed = !has && !refused
  assert.deepEqual(
    after.shadow
      .slice(before.shadow.length)
      .map(({ operation, capability, role, principal, tenantId }) => ({ operation, capability, role, principal, tenantId })),
    shadowed ? [{ operation: tool.name, capability: tool.capability, role, principal: caller.principal, tenantId: caller.tenantId }] : [],
  )
  assert.equal(after.counted - before.counted, shadowed ? 1 : 0)
}

const kindOf = ({ by }: Caller): string => ({ 'API key': 'api-key', session: 'user' })[by] ?? 'operator'

for (const [mode, enforce] of Object.entries({ 'shadow mode': 'off', enforced: 'on' })) {
  const enforced = enforce === 'on'
  describe(`roles, ${mode}`, () => {
    let gateway: TestGateway
    const callers = new Map<string, Caller[]>()
    before(async () => {
      gateway = await start(enforce)
      for (const role of roles) callers.set(role, await callersOf(gateway, role))
    })
    after(() => gateway.stop())

    for (const role of roles) {
      for (const capability of capabilities) {
        const has = held[role].includes(capability)
        const verdict = has ? 'may' : enforced || capability === 'operator' ? 'may not' : 'may for now, which is noted,'
        it(`${role} ${verdict} call what needs ${capability}, on every transport`, async () => {
          for (const caller of callers.get(role) ?? []) {
            for (const transport of Object.values(transports)) await hold(gateway, enforced, role, writing[capability], caller, transport)
          }
        })
      }

      it(`${role} meets the same rule where a tool only reads`, async () => {
        for (const caller of callers.get(role) ?? []) {
          for (const transport of Object.values(transports)) await hold(gateway, enforced, role, reading, caller, transport)
        }
      })

      it(`${role} is shown exactly what it may call`, async () => {
        const usable = (capability: Capability): boolean => held[role].includes(capability) || (!enforced && capability !== 'operator')
        const expected = [...Object.values(writing), reading].filter((tool) => usable(tool.capability)).map(({ name }) => name)
        if (usable('operator')) expected.push('tenant_suspend', 'tenant_reactivate')
        for (const { headers } of callers.get(role) ?? []) {
          const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
          const overMcp = (await gateway.inject({ method: 'POST', url: '/mcp', headers, body })).json().result.tools
          const overRest = (await gateway.inject({ method: 'GET', url: '/api/tools', headers })).json()
          assert.deepEqual(
            overMcp.map(({ name }: Tool) => name),
            expected,
          )
          assert.deepEqual(
            overRest.tools.map(({ name }: Tool) => name),
            expected,
          )
          assert.equal(overRest.count, expected.length)
        }
      })

      it(`${role} ${role === 'operator' ? 'reads' : 'may not read'} the shadow report`, async () => {
        for (const { headers } of callers.get(role) ?? []) {
          const response = await gateway.inject({ method: 'GET', url: '/api/rbac/shadow', headers })
          assert.deepEqual([response.status, response.json().code], role === 'operator' ? [200, undefined] : [403, 'FORBIDDEN'])
        }
      })
    }

    it('the report tells the mode, and names who lacked what, and who would have it', async () => {
      const { enforced: says, entries } = await shadowReport(gateway)
      assert.equal(says, enforced)
      for (const entry of entries) assert.equal(entry.leastRole, leastRole[entry.capability as Capability])
      if (enforced) assert.deepEqual(entries, [])
    })
  })
}

it('enforcement is off until RBAC_ENFORCE says otherwise', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin, tenants] })
  assert.equal((await shadowReport(gateway)).enforced, false)
})
