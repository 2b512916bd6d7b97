import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineCollection, type Principal, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { localRelay } from '../../src/ports/relay.ts'
import { TokenMemory } from '../../src/tenancy/token-memory.ts'

const grants = defineCollection('test.grants', { schema: Type.Object({ id: Type.String() }, closed), key: 'id' })
const principal: Principal = { id: 'key:k', kind: 'api-key', role: 'viewer', tenantId: 'acme', scopes: ['read'] }

function setUp({ keyId }: { keyId?: string } = {}) {
  const clock = testClock()
  const listeners: ((collection: string, tenantId: string) => void)[] = []
  const changes = {
    listen(listener: (typeof listeners)[number]) {
      listeners.push(listener)
      return () => {}
    },
    announce() {},
  }
  const state = { checks: 0, stands: true, valid: true, during: () => {} }
  const store = { shared: false, changes }
  const memory = new TokenMemory({ store, relay: localRelay('here'), clock, stands: () => state.stands, collections: [grants] })
  const until = new Date(clock.now() + 60_000).toISOString()
  const ask = (tenantId = 'acme', ticket = 'grant~secret') =>
    memory.of(tenantId, ticket, async () => {
      state.checks++
      state.during()
      const holds = { until, ...(keyId !== undefined && { keyId }) }
      return state.valid ? { principal, isLifted: false, holds } : undefined
    })
  const change = (tenantId = 'acme', collection = grants.id) => {
    for (const listener of listeners) listener(collection, tenantId)
  }
  return { clock, state, ask, change }
}

test('a token is checked again only after a change in its tenant, or when its time is over', async () => {
  const { clock, state, ask, change } = setUp()
  for (let i = 0; i < 5; i++) assert.equal((await ask())?.principal, principal)
  assert.equal(state.checks, 1)
  change('beta')
  change('acme', 'test.others')
  await ask()
  assert.equal(state.checks, 1)
  state.valid = false
  change()
  assert.equal(await ask(), undefined)
  state.valid = true
  await ask()
  clock.advance(60)
  state.valid = false
  assert.equal(await ask(), undefined)
})

test('another ticket, or the same in another tenant, has an answer of its own', async () => {
  const { state, ask } = setUp()
  for (let i = 0; i < 3; i++) await ask()
  const before = state.checks
  await ask('acme', 'grant~other')
  await ask('beta')
  assert.equal(state.checks, before + 2)
})

test('an answer that was read before a change is not remembered after it', async () => {
  const { state, ask, change } = setUp()
  state.during = () => change()
  await ask()
  state.during = () => {}
  await ask()
  assert.equal(state.checks, 2)
  await ask()
  assert.equal(state.checks, 2)
})

test('a token that ends with a key is void as soon as the key does not stand', async () => {
  const { state, ask } = setUp({ keyId: 'k' })
  for (let i = 0; i < 3; i++) assert.ok(await ask())
  state.stands = false
  assert.equal(await ask(), undefined)
})
