import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import tenants from '@gateway/plugin-tenants'
import { type KeyEnvironment, keyEnvironments, type TenantRole, tenantRoles } from '@gateway/sdk'
import { startTestGateway, type TestGateway, testClock } from '@gateway/testing'
import fc from 'fast-check'

/**
 * Random lives of tenants and credentials, compared with a model of a few lines: for every credential presented, the
 * gateway must agree with the model. PROPERTY_RUNS raises the number of lives.
 */

const SECRET = 'a-session-secret-of-some-length-0123456789'
const ADMIN = 'the-admin-token-of-the-tests'
const env = { GATEWAY_JWT_SECRET: SECRET, ADMIN_API_TOKEN: ADMIN, GATEWAY_FAILED_LOGIN_LIMIT: '1000000' }
const clock = testClock()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [tenants], env, clock })
})
after(() => gateway.stop())

interface Tenant {
  readonly tenantId: string
  suspended: boolean
}
interface Credential {
  readonly kind: 'api-key' | 'user'
  readonly headers: Readonly<Record<string, string>>
  readonly tenant: Tenant
  readonly role: TenantRole
  /** Environment of a key, which a rotation looks for. */
  readonly environment?: KeyEnvironment
  /** Epoch milliseconds; invalid from that moment. */
  validUntil: number
}
interface Life {
  readonly tenants: Tenant[]
  readonly credentials: Credential[]
}

const verdict = ({ tenant, role, kind, validUntil }: Credential): string => {
  if (validUntil <= clock.now()) return 'UNAUTHORIZED'
  return tenant.suspended ? 'TENANT_SUSPENDED' : `${kind} ${role} of ${tenant.tenantId}`
}

/** Applies a rotation to the existing keys. */
function endKeys(life: Life, tenant: Tenant, role: TenantRole, environment: KeyEnvironment, until: number): void {
  for (const one of life.credentials) {
    if (one.tenant === tenant && one.role === role && one.environment === environment) one.validUntil = Math.min(one.validUntil, until)
  }
}

async function admin(path: string, body: object) {
  const response = await gateway.inject({ method: 'POST', url: `/api/tenants${path}`, headers: { 'x-admin-token': ADMIN }, body })
  assert.ok(response.status < 300, response.body)
  return response.json()
}

async function present({ headers }: Credential): Promise<string> {
  const answer = (await gateway.inject({ method: 'GET', url: '/api/auth/whoami', headers: { ...headers } })).json()
  return answer.code ?? `${answer.principal.kind} ${answer.role} of ${answer.tenantId}`
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
function sign(claims: object): string {
  const body = `${base64({ alg: 'HS256' })}.${base64(claims)}`
  return `${body}.${createHmac('sha256', SECRET).update(body).digest('base64url')}`
}

const addKey = (life: Life, apiKey: string, tenant: Tenant, role: TenantRole, environment: KeyEnvironment): void =>
  void life.credentials.push({
    kind: 'api-key',
    headers: { 'x-api-key': apiKey },
    tenant,
    role,
    environment,
    validUntil: Number.POSITIVE_INFINITY,
  })

type Step =
  | { readonly do: 'create' | 'restart' }
  | { readonly do: 'issue'; readonly on: number; readonly role: TenantRole; readonly environment: KeyEnvironment }
  | Rotation
  | { readonly do: 'suspend' | 'reactivate'; readonly on: number }
  | { readonly do: 'sign'; readonly on: number; readonly role: TenantRole; readonly seconds: number; readonly cookie: boolean }
  | { readonly do: 'advance'; readonly seconds: number }
  | { readonly do: 'present'; readonly credential: number }
  | {
      readonly do: 'race'
      readonly credentials: readonly number[]
      readonly change: Rotation | { readonly do: 'suspend' | 'reactivate'; readonly on: number }
    }
interface Rotation {
  readonly do: 'rotate'
  readonly on: number
  readonly role: TenantRole
  readonly environment: KeyEnvironment
  readonly graceMinutes: number
}

/** Small numbers of each, so that steps meet the same tenants and keys. */
const on = fc.nat(7)
const role = fc.constantFrom<TenantRole>('owner', ...tenantRoles)
const environment = fc.constantFrom<KeyEnvironment>('live', ...keyEnvironments)
const seconds = fc.oneof(fc.constantFrom(0.5, 1, 59.999, 60, 600), fc.integer({ min: 1, max: 1200 }), fc.constant(90_000))
const graceMinutes = fc.constantFrom(0, 0, 0.01, 1, 10, 20)
const rotation = fc.record({ do: fc.constant('rotate' as const), on, role, environment, graceMinutes })
const blocking = fc.record({ do: fc.constantFrom('suspend' as const, 'reactivate' as const), on })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('issue' as const), on, role, environment }) },
  { weight: 3, arbitrary: rotation },
  { weight: 3, arbitrary: blocking },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('sign' as const),
      on,
      role,
      seconds: fc.oneof(seconds, fc.constantFrom(-1, 0, 0.25, 60.75)),
      cookie: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('advance' as const), seconds }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('present' as const), credential: fc.nat(30) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('race' as const),
      credentials: fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }),
      change: fc.oneof(rotation, blocking),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

let lives = 0
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

async function take(life: Life, one: Step): Promise<void> {
  switch (one.do) {
    case 'create': {
      const tenant = { tenantId: `life-${lives}-${life.tenants.length}`, suspended: false }
      const { apiKey } = await admin('', { name: 'Random', tenantId: tenant.tenantId })
      life.tenants.push(tenant)
      return addKey(life, apiKey, tenant, 'owner', 'live')
    }
    case 'issue': {
      const tenant = pick(life.tenants, one.on)
      const { apiKey } = await admin(`/${tenant.tenantId}/keys`, { role: one.role, environment: one.environment })
      return addKey(life, apiKey, tenant, one.role, one.environment)
    }
    case 'rotate': {
      const tenant = pick(life.tenants, one.on)
      const { role, environment, graceMinutes } = one
      const { apiKey, graceUntil } = await admin(`/${tenant.tenantId}/rotate-key`, { role, environment, graceMinutes })
      assert.equal(Date.parse(graceUntil), clock.now() + graceMinutes * 60_000)
      endKeys(life, tenant, role, environment, clock.now() + graceMinutes * 60_000)
      return addKey(life, apiKey, tenant, role, environment)
    }
    case 'suspend':
    case 'reactivate': {
      const tenant = pick(life.tenants, one.on)
      await admin(`/${tenant.tenantId}/${one.do}`, {})
      tenant.suspended = one.do === 'suspend'
      return
    }
    case 'sign': {
      const tenant = pick(life.tenants, one.on)
      const validUntil = clock.now() + one.seconds * 1000
      const token = sign({ sub: `user-${life.credentials.length}`, tenantId: tenant.tenantId, role: one.role, exp: validUntil / 1000 })
      const headers: Record<string, string> = one.cookie ? { cookie: `svc_token=${token}` } : { authorization: `Bearer ${token}` }
      life.credentials.push({ kind: 'user', headers, tenant, role: one.role, validUntil })
      return
    }
    case 'advance':
      return clock.advance(one.seconds)
    case 'restart':
      return gateway.restart()
    case 'present': {
      const credential = pick(life.credentials, one.credential)
      return assert.equal(await present(credential), verdict(credential))
    }
    case 'race': {
      // Between the start of a change and its answer, both results are right.
      const shown = one.credentials.map((index) => pick(life.credentials, index))
      const earlier = shown.map(verdict)
      const half = shown.length / 2
      const [first, , second] = await Promise.all([
        Promise.all(shown.slice(0, half).map(present)),
        take(life, one.change),
        Promise.all(shown.slice(half).map(present)),
      ])
      const answers = [...first, ...second]
      for (const [i, credential] of shown.entries()) {
        assert.ok([earlier[i], verdict(credential)].includes(answers[i]), `${answers[i]}, but ${earlier[i]} or ${verdict(credential)}`)
      }
      // No look-up during the change may be cached after it.
      assert.deepEqual(await Promise.all(shown.map(present)), shown.map(verdict))
    }
  }
}

test('whatever happens to tenants, keys and sessions, exactly the valid credentials are accepted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
      lives++
      const life: Life = { tenants: [], credentials: [] }
      await take(life, { do: 'create' })
      for (const one of steps) await take(life, one)
      const shown = await Promise.all(life.credentials.map(present))
      assert.deepEqual(shown, life.credentials.map(verdict))
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 30) },
  )
})
