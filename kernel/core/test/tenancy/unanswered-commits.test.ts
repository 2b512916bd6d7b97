import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Unavailable } from '@gateway/sdk'
import type { Store } from '@gateway/storage'
import { testClock } from '@gateway/testing'
import { pino } from 'pino'
import { apiKeys } from '../../../access/src/collections.ts'
import { keyRing } from '../../../access/src/key-ring.ts'
import { nodeCollections } from '../../../nodes/src/collections.ts'
import { openSharedRelay } from '../../../nodes/src/shared-relay.ts'
import { subject } from '../../../storage/test/subject.ts'
import { secretHasher } from '../../src/secrets/secrets.ts'
import { tenants } from '../../src/tenancy/collections.ts'
import { openTenantDirectory } from '../../src/tenancy/directory.ts'

// A commit can take effect without its answer, as when the connection to a shared store breaks at that moment.

const clock = testClock()
let made: Awaited<ReturnType<typeof subject>>
before(async () => {
  made = await subject({ clock })
  await made.store.prepare([tenants, apiKeys, ...nodeCollections])
})
after(() => made.dispose())

/** A node on the shared store that can lose the answers of its commits. */
async function node(nodeId: string) {
  let losing = false
  const atomically: Store['atomically'] = (tenant) => {
    const whole = made.store.atomically(tenant)
    return async (work) => {
      const result = await whole(work)
      if (losing) throw Unavailable({ message: 'The store did not answer.' })
      return result
    }
  }
  const store = new Proxy(made.store, {
    get: (target, name) => (name === 'atomically' ? atomically : Reflect.get(target, name).bind?.(target)),
  })
  const relay = await openSharedRelay({ store: made.store, nodeId, log: pino({ level: 'silent' }) })
  const directory = await openTenantDirectory(store, clock, relay)
  const keys = keyRing(store, secretHasher(Buffer.alloc(32)), clock, relay)
  async function unanswered(change: Promise<unknown>): Promise<void> {
    await assert.rejects(change, { code: 'UNAVAILABLE' })
    losing = false
    await relay.catchUp()
  }
  const lose = (): void => void (losing = true)
  return { directory, keys, lose, unanswered }
}

test('a node whose suspension was not answered refuses the tenant at the next call all the same, and reports that it is blocked', async () => {
  const { directory, lose, unanswered } = await node('a')
  await directory.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  const blocked: string[] = []
  directory.onBlocked((tenantId) => blocked.push(tenantId))
  lose()
  await unanswered(directory.suspend('acme'))
  assert.equal(directory.statusOf('acme'), 'suspended')
  assert.deepEqual(blocked, ['acme'])
  lose()
  await unanswered(directory.reactivate('acme'))
  assert.equal(directory.statusOf('acme'), 'active')
  lose()
  await unanswered(directory.create({ name: 'Beta', plan: 'free', tenantId: 'beta' }))
  assert.equal(directory.statusOf('beta'), 'active')
})

test('a node whose revocation was not answered refuses the key at the next call all the same', async () => {
  const { keys, lose, unanswered } = await node('b')
  const { apiKey, keyId } = await keys.issue({ tenantId: 'gamma', role: 'member', environment: 'live' })
  const { apiKey: other } = await keys.issue({ tenantId: 'gamma', role: 'owner', environment: 'live' })
  for (const key of [apiKey, other]) assert.ok(await keys.principalOf(key))
  lose()
  await unanswered(keys.revoke('gamma', keyId))
  assert.equal(await keys.principalOf(apiKey), undefined)
  assert.ok(await keys.principalOf(other))
  lose()
  await unanswered(keys.revokeAll('gamma'))
  assert.equal(await keys.principalOf(other), undefined)
})
