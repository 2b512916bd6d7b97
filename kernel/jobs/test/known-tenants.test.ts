import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defineCollection, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { knownTenants, openKnownTenants } from '../../core/src/tenancy/known-tenants.ts'
import type { Store } from '../../storage/src/port.ts'
import { subject } from '../../storage/test/subject.ts'

const notes = defineCollection('notes', { schema: Type.Object({ id: Type.String() }), key: 'id' })

async function withStore(check: (store: Store) => Promise<void>): Promise<void> {
  const { store, dispose } = await subject({ clock: testClock() })
  try {
    await store.prepare([notes, knownTenants])
    await check(store)
  } finally {
    await dispose()
  }
}

describe('the tenants jobs run for', () => {
  it('are those any node was called by, from the first call on', () =>
    withStore(async (store) => {
      const [one, two] = [openKnownTenants(store), openKnownTenants(store)]
      assert.deepEqual(await two.all(), [])
      await one.ensureKnown('acme')
      assert.deepEqual(await two.all(), ['acme'])
    }))

  it('are those that have documents from before there was a list', () =>
    withStore(async (store) => {
      await store.collection(notes, 'early').insert({ id: 'n-1' })
      assert.deepEqual(await openKnownTenants(store).all(), ['early'])
    }))

  it('are asked for by one query, and the collections only once', () =>
    withStore(async (store) => {
      let asked = 0
      const counting = Object.assign(Object.create(store) as Store, {
        collection: store.collection.bind(store),
        tenants: () => {
          asked++
          return store.tenants()
        },
      })
      const known = openKnownTenants(counting)
      for (let i = 0; i < 5; i++) await known.all()
      assert.equal(asked, 1)
    }))

  it('once met cost a call nothing', () =>
    withStore(async (store) => {
      const known = openKnownTenants(store)
      await known.ensureKnown('acme')
      assert.equal(known.ensureKnown('acme'), undefined)
    }))
})
