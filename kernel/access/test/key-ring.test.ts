import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { KERNEL_TENANT } from '@gateway/storage'
import { localRelay, type RelayMessage, type Subscriber } from '../../core/src/ports/relay.ts'
import { secretHasher } from '../../core/src/secrets/secrets.ts'
import { apiKeys } from '../src/collections.ts'
import { keyRing } from '../src/key-ring.ts'
import { type AccessFixture, accessFixture } from './fixture.ts'
import { slowStore } from './slow-store.ts'

describe('the key ring', () => {
  let fixture: AccessFixture
  before(async () => {
    fixture = await accessFixture()
  })
  after(() => fixture.dispose())
  const spec = (tenantId: string) => ({ tenantId, role: 'member', environment: 'live' }) as const

  it('a key is looked up once, and known from then on', async () => {
    const { apiKey, keyId } = await fixture.keys.issue(spec('acme'))
    const first = fixture.keys.principalOf(apiKey)
    assert.ok(first instanceof Promise)
    const principal = { id: `key:${keyId}`, kind: 'api-key', role: 'member', tenantId: 'acme' }
    assert.deepEqual(await first, principal)
    assert.deepEqual(fixture.keys.principalOf(apiKey), principal)
  })

  it('a stored key holds its id and a keyed hash, not the key', async () => {
    const { apiKey, keyId } = await fixture.keys.issue(spec('acme'))
    const record = await fixture.store.collection(apiKeys, KERNEL_TENANT).get(keyId)
    assert.ok(record)
    assert.ok(!JSON.stringify(record).includes(apiKey.slice(21, 53)))
    const elsewhere = keyRing(fixture.store, secretHasher(Buffer.alloc(32, 1)), fixture.clock, localRelay('test'))
    assert.equal(await elsewhere.principalOf(apiKey), undefined, 'who has the store but another hash key has no keys')
  })

  it('of another secret under a known id it is no key', async () => {
    const [{ apiKey: one }, { apiKey: other }] = [await fixture.keys.issue(spec('acme')), await fixture.keys.issue(spec('acme'))]
    assert.equal(await fixture.keys.principalOf(one.slice(0, 21) + other.slice(21)), undefined)
  })

  it('all keys of a tenant are void at once when they are revoked, known or not; those of others stay', async () => {
    const issued = [await fixture.keys.issue(spec('beta')), await fixture.keys.issue({ ...spec('beta'), role: 'owner' })]
    const { apiKey: other } = await fixture.keys.issue(spec('gamma'))
    const [known, unseen] = issued.map(({ apiKey }) => apiKey) as [string, string]
    assert.ok(await fixture.keys.principalOf(known))
    assert.equal(await fixture.keys.revokeAll('beta'), 2)
    assert.deepEqual([await fixture.keys.principalOf(known), await fixture.keys.principalOf(unseen)], [undefined, undefined])
    assert.equal((await fixture.keys.principalOf(other))?.tenantId, 'gamma')
  })

  it('a key that stands is read once, until its tenant’s keys change or its time is over', async () => {
    const slow = slowStore(fixture.store)
    const keys = keyRing(slow.store, secretHasher(Buffer.alloc(32)), fixture.clock, localRelay('test'))
    const { keyId } = await keys.issue(spec('standing'))
    const release = slow.holdNextGet()
    const first = keys.standing('standing', keyId)
    release()
    assert.equal((await first)?.keyId, keyId)
    const unread = slow.holdNextGet()
    assert.equal((await keys.standing('standing', keyId))?.keyId, keyId, 'from memory: the held read was not needed')
    assert.equal(await keys.standing('acme', keyId), undefined, 'of its own tenant alone')
    unread()
    await keys.revoke('standing', keyId)
    assert.equal(await keys.standing('standing', keyId), undefined)
    const asked = await keys.issue(spec('standing'))
    const late = slow.holdNextGet()
    const pending = keys.standing('standing', asked.keyId)
    await keys.rotate({ ...spec('standing'), graceMinutes: 1 })
    late()
    await pending
    fixture.clock.advance(60)
    assert.equal(await keys.standing('standing', asked.keyId), undefined, 'a value read before a change is not kept')
  })

  it('what was read before a rotation is not remembered after it, however late the answer of the store comes', async () => {
    const slow = slowStore(fixture.store)
    const keys = keyRing(slow.store, secretHasher(Buffer.alloc(32)), fixture.clock, localRelay('test'))
    const { apiKey } = await keys.issue(spec('delta'))
    const release = slow.holdNextGet()
    const asked = keys.principalOf(apiKey)
    await keys.rotate({ ...spec('delta'), graceMinutes: 0 })
    release()
    assert.ok(await asked, 'asked before the rotation, answered as of before')
    assert.equal(await keys.principalOf(apiKey), undefined)
  })

  it('when a key was used last is written at most once a minute, and beside the calls', async () => {
    const { apiKey, keyId } = await fixture.keys.issue(spec('zeta'))
    const used = async () => (await fixture.keys.list('zeta')).find((key) => key.keyId === keyId)?.lastUsedAt
    assert.equal(await used(), undefined)
    await fixture.keys.principalOf(apiKey)
    const first = await used()
    assert.equal(first, new Date(fixture.clock.now()).toISOString())
    fixture.clock.advance(59)
    await fixture.keys.principalOf(apiKey)
    assert.equal(await used(), first)
    fixture.clock.advance(1)
    await fixture.keys.principalOf(apiKey)
    assert.equal(await used(), new Date(fixture.clock.now()).toISOString())
  })

  it('a key that one node revokes is void on another as soon as that one hears of it', async () => {
    const hearers: Subscriber[] = []
    const told: RelayMessage[] = []
    const relay = { ...localRelay('one'), publishInTransaction: async (_: unknown, note: RelayMessage) => void told.push(note) }
    const other = { ...localRelay('two'), subscribe: (_: string, hearer: Subscriber) => void hearers.push(hearer) }
    const hasher = secretHasher(Buffer.alloc(32))
    const [here, there] = [keyRing(fixture.store, hasher, fixture.clock, relay), keyRing(fixture.store, hasher, fixture.clock, other)]
    const { apiKey, keyId } = await here.issue(spec('eta'))
    const { apiKey: kept } = await here.issue(spec('eta'))
    assert.ok((await there.principalOf(apiKey)) && (await there.principalOf(kept)))
    await here.revoke('eta', keyId)
    for (const note of told) for (const hearer of hearers) await hearer(note)
    assert.equal(await there.principalOf(apiKey), undefined)
    assert.ok(await there.principalOf(kept))
  })

  it('a tenant has at most 1,000 keys; one that was revoked makes room', async () => {
    const issued = await Promise.all(Array.from({ length: 1_000 }, () => fixture.keys.issue(spec('theta'))))
    await assert.rejects(fixture.keys.issue(spec('theta')), { code: 'CONFLICT' })
    await fixture.keys.revoke('theta', issued[0]?.keyId as string)
    await fixture.keys.issue(spec('theta'))
    assert.equal((await fixture.keys.list('theta')).length, 1_000)
  })

  it('the record of a key is kept for a day after its end, and then removed', async () => {
    const { keyId } = await fixture.keys.issue(spec('eps'))
    const { keyId: next } = await fixture.keys.rotate({ ...spec('eps'), graceMinutes: 10 })
    const kept = async (): Promise<boolean[]> => {
      await fixture.store.sweepExpired()
      const records = fixture.store.collection(apiKeys, KERNEL_TENANT)
      return [(await records.get(keyId)) !== undefined, (await records.get(next)) !== undefined]
    }
    fixture.clock.advance(86_400 + 599)
    assert.deepEqual(await kept(), [true, true])
    fixture.clock.advance(2)
    assert.deepEqual(await kept(), [false, true])
  })

  /** A relay of several key rings, which hear of changes when `tell` is called. */
  function sharedRelay() {
    const hearers: Subscriber[] = []
    const told: RelayMessage[] = []
    return {
      ...localRelay('test'),
      subscribe: (_: string, hearer: Subscriber) => void hearers.push(hearer),
      publishInTransaction: async (_: unknown, note: RelayMessage) => void told.push(note),
      async tell() {
        for (const note of told.splice(0)) for (const hearer of hearers) await hearer(note)
      },
    }
  }

  it('ends by the clock of the store: a key that was rotated away is void at a node whose clock is an hour behind, known there or not', async () => {
    const [hasher, relay] = [secretHasher(Buffer.alloc(32)), sharedRelay()]
    const behind = { ...fixture.clock, now: () => fixture.clock.now() - 3_600_000 }
    const here = keyRing(fixture.store, hasher, fixture.clock, relay)
    const there = keyRing(fixture.store, hasher, behind, relay)
    const issued = [await here.issue(spec('clocks')), await here.issue(spec('clocks'))]
    const [known, unseen] = issued as [{ apiKey: string; keyId: string }, { apiKey: string; keyId: string }]
    assert.ok(await there.principalOf(known.apiKey))
    assert.ok(await there.standing('clocks', known.keyId))
    await here.rotate({ tenantId: 'clocks', role: 'member', environment: 'live', graceMinutes: 0 })
    await relay.tell()
    for (const { apiKey, keyId } of [known, unseen]) {
      assert.equal(await there.principalOf(apiKey), undefined)
      assert.deepEqual([await there.standing('clocks', keyId), await there.stands('clocks', keyId)], [undefined, false])
    }
    assert.equal((await there.list('clocks')).length, 1)
  })

  it('a grace window that a node with a fast clock sets is as long as it says at every node', async () => {
    const [hasher, relay] = [secretHasher(Buffer.alloc(32)), sharedRelay()]
    const ahead = { ...fixture.clock, now: () => fixture.clock.now() + 3_600_000 }
    const [there, here] = [keyRing(fixture.store, hasher, ahead, relay), keyRing(fixture.store, hasher, fixture.clock, relay)]
    const { apiKey } = await there.issue(spec('grace'))
    await there.rotate({ tenantId: 'grace', role: 'member', environment: 'live', graceMinutes: 10 })
    await relay.tell()
    for (const ring of [here, there]) assert.ok(await ring.principalOf(apiKey))
    fixture.clock.advance(10 * 60)
    for (const ring of [here, there]) assert.equal(await ring.principalOf(apiKey), undefined)
    await assert.rejects(
      there.issue({ ...spec('grace'), expiresAt: new Date(fixture.clock.now() - 1).toISOString() }),
      /`expiresAt` must be in the future/,
    )
    assert.ok((await there.issue({ ...spec('grace'), expiresAt: new Date(fixture.clock.now() + 60_000).toISOString() })).keyId)
  })
})
