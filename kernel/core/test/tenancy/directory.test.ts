import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Tenant } from '@gateway/sdk'
import { KERNEL_TENANT } from '@gateway/storage'
import { type AccessFixture, accessFixture } from '../../../access/test/fixture.ts'
import { slowStore } from '../../../access/test/slow-store.ts'
import { localRelay, type Subscriber } from '../../src/ports/relay.ts'
import { tenants } from '../../src/tenancy/collections.ts'
import { openTenantDirectory } from '../../src/tenancy/directory.ts'

describe('the directory of tenants', () => {
  let fixture: AccessFixture
  before(async () => {
    fixture = await accessFixture()
  })
  after(() => fixture.dispose())

  it('without a record only the local tenant exists', () => {
    assert.equal(fixture.directory.statusOf('local'), 'active')
    assert.equal(fixture.directory.statusOf('never-heard-of'), undefined)
  })

  it('is told to its listeners when a tenant is suspended, and then statusOf says so already', async () => {
    await fixture.tenant('told')
    const heard: string[] = []
    fixture.directory.onBlocked((tenantId) => heard.push(`${tenantId} is ${fixture.directory.statusOf(tenantId)}`))
    await fixture.directory.suspend('told')
    await fixture.directory.reactivate('told')
    assert.deepEqual(heard, ['told is suspended'])
  })

  it('says of a tenant what its record says, whatever the order in which a slow store answers', async () => {
    const slow = slowStore(fixture.store)
    const directory = await openTenantDirectory(slow.store, fixture.clock, localRelay('test'))
    await directory.create({ name: 'Slow', plan: 'free', tenantId: 'slow' })
    await directory.suspend('slow')
    const release = slow.holdNextGet()
    const suspended = directory.suspend('slow')
    const reactivated = directory.reactivate('slow')
    // Writes run in sequence: after these two, a reactivation that did not wait has been applied.
    for (const tenantId of ['turn-1', 'turn-2']) await directory.create({ name: 'Turn', plan: 'free', tenantId })
    release()
    await Promise.all([suspended, reactivated])
    assert.equal(directory.statusOf('slow'), (await directory.get('slow')).status)
    assert.equal(directory.statusOf('slow'), 'active')
  })

  it('messages of other nodes do not wait for a change of this node, and what they say later stays', async () => {
    const slow = slowStore(fixture.store)
    const heard: Subscriber[] = []
    const relay = { ...localRelay('here'), subscribe: (_: string, subscriber: Subscriber) => void heard.push(subscriber) }
    const here = await openTenantDirectory(slow.store, fixture.clock, relay)
    const there = await openTenantDirectory(fixture.store, fixture.clock, localRelay('there'))
    const hear = (tenantId: string) => heard[0]?.({ topic: 'tenant.status', tenantId })
    for (const tenantId of ['both', 'other']) await here.create({ name: tenantId, plan: 'free', tenantId })

    const release = slow.holdNextCommit()
    const suspended = here.suspend('both')
    while ((await there.get('both')).status !== 'suspended') await new Promise(setImmediate)
    await there.suspend('other')
    await hear('other')
    assert.equal(here.statusOf('other'), 'suspended')
    // The other node’s change is later than the one whose answer is under way here.
    await there.reactivate('both')
    await hear('both')
    release()
    await suspended
    assert.equal(here.statusOf('both'), 'active')

    // A status that was read before another node’s change is not remembered after it.
    const releaseRead = slow.holdNextGet()
    const repeated = here.reactivate('both')
    await there.suspend('both')
    const told = hear('both')
    releaseRead()
    await Promise.all([repeated, told])
    assert.equal(here.statusOf('both'), 'suspended')
  })

  it('a change that fails does not keep the next one', async () => {
    await fixture.tenant('next')
    const failed = fixture.directory.suspend('nobody')
    const changed = fixture.directory.change('next', { plan: 'team' })
    await assert.rejects(failed, { code: 'NOT_FOUND' })
    assert.equal((await changed).plan, 'team')
  })

  it('lists more tenants than fit a page, in the order of their ids', async () => {
    const records = fixture.store.collection<Tenant>(tenants, KERNEL_TENANT)
    const made = await fixture.tenant('many')
    const ids = Array.from({ length: 1_001 }, (_, i) => `many-${String(i).padStart(4, '0')}`)
    await Promise.all(ids.map((tenantId) => records.insert({ ...made, tenantId })))
    const listed = (await fixture.directory.list()).map(({ tenantId }) => tenantId)
    assert.deepEqual(
      listed.filter((tenantId) => tenantId.startsWith('many-')),
      ids,
    )
    assert.deepEqual(listed, [...listed].sort())
  })
})
