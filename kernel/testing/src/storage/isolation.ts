import assert from 'node:assert/strict'
import { type Bench, named } from './subject.ts'

export function isolationTests(bench: Bench): void {
  const { test } = bench
  test('one look over all tenants tells which of them have a document that matches', async () => {
    for (const [tenant, place] of [
      ['across-a', 'found'],
      ['across-b', 'elsewhere'],
      ['across-c', 'found'],
    ] as const) {
      await bench.named(tenant).insert({ id: '1', place })
      await bench.named(tenant).insert({ id: '2', place })
    }
    assert.deepEqual([...(await bench.store.tenantsWith(named, { place: 'found' }))].sort(), ['across-a', 'across-c'])
    assert.deepEqual(await bench.store.tenantsWith(named, { place: 'nowhere' }), [])
    await bench.named('across-c').updateMany({}, { unset: ['place'] })
    assert.deepEqual(await bench.store.tenantsWith(named, { place: 'found' }), ['across-a'])
  })

  test('no method reaches another tenant’s documents', async () => {
    const [mine, theirs] = [bench.named('iso-a'), bench.named('iso-b')]
    const before = [
      { id: '1', name: 'same', place: 'x', body: 'secret word' },
      { id: '2', place: 'x', body: 'secret' },
    ]
    for (const doc of before) await theirs.insert(doc)
    await mine.insert({ id: '0', name: 'same', place: 'x', body: 'word' })

    assert.equal(await mine.get('1'), undefined)
    assert.deepEqual(await mine.getMany(['1', '2']), [])
    assert.deepEqual(
      (await mine.find({ where: { place: { in: ['x', 'y'] } }, sort: { place: 1 } })).items.map((doc) => doc.id),
      ['0'],
    )
    assert.deepEqual(
      (await mine.find({ where: { or: [{ place: 'x' }, { id: '1' }] } })).items.map((doc) => doc.id),
      ['0'],
    )
    assert.equal(await mine.count({ not: { id: '0' } }), 0)
    assert.deepEqual(await mine.group({ by: ['place'] }), [{ key: ['x'], count: 1, sums: {} }])
    assert.deepEqual(await mine.distinct('id'), ['0'])
    assert.deepEqual(await mine.search({ text: 'secret' }), [])
    assert.deepEqual(
      (await mine.search({ text: 'word secret' })).map((hit) => hit.item.id),
      ['0'],
    )
    assert.equal(await mine.updateOne('1', { set: { place: 'y' } }), undefined)
    assert.equal((await mine.claim({ where: { place: 'x' }, sort: { id: -1 }, update: { set: { place: 'claimed' } } }))?.id, '0')
    assert.equal(await mine.claim({ where: { place: 'x' }, sort: { id: -1 }, update: { set: { place: 'claimed' } } }), undefined)
    assert.equal(await mine.updateMany({}, { set: { place: 'y' } }), 1)
    await mine.insertMany([{ id: '2', body: 'mine' }])
    assert.equal((await mine.deleteOne('2'))?.body, 'mine')
    await mine.upsert({ id: '1', body: 'mine' }, { set: { body: 'overwritten' } })
    assert.equal(await mine.deleteOne('2'), undefined)
    assert.equal(await mine.deleteMany({}), 2)

    assert.deepEqual((await theirs.find()).items, before)
    assert.equal((await theirs.search({ text: 'secret' })).length, 2)
  })

  test('tenants whose names differ by anything are two', async () => {
    for (const tenant of ['iso t', 'iso_t', "iso't", 'ISO_T', 'iso%t', 'iso-t']) {
      await bench.named(tenant).insert({ id: 'a', name: 'n', body: `of ${tenant}` })
      assert.equal((await bench.named(tenant).search({ text: 'of' })).length, 1)
    }
  })

  test('the tenants with documents are listed once each', async () => {
    await bench.items('iso-listed').insert({ itemId: 'a' })
    await bench.named('iso-listed').insert({ id: 'a' })
    await bench.items('iso-emptied').insert({ itemId: 'a' })
    await bench.items('iso-emptied').deleteOne('a')
    const tenants = await bench.store.tenants()
    assert.equal(tenants.filter((tenant) => tenant === 'iso-listed').length, 1)
    assert.ok(!tenants.includes('iso-emptied') && !tenants.includes('iso-never'))
  })

  test('a tenant’s documents are counted and removed over all collections, in batches, and no other’s', async () => {
    for (const tenant of ['end-a', 'end-b']) {
      await bench.items(tenant).insertMany(Array.from({ length: 7 }, (_, n) => ({ itemId: `i${n}` })))
      await bench.named(tenant).insert({ id: '1', body: 'words that end' })
    }
    assert.deepEqual(await bench.store.documentsOf('end-a'), { 'suite.items': 7, 'suite.named': 1 })
    let removed = 0
    for (let batch = 1; batch > 0; removed += batch) {
      batch = await bench.store.removeSome('end-a', 3)
      assert.ok(batch <= 3)
    }
    assert.equal(removed, 8)
    assert.deepEqual(await bench.store.documentsOf('end-a'), {})
    assert.equal(await bench.named('end-a').get('1'), undefined)
    assert.deepEqual(await bench.named('end-a').search({ text: 'words' }), [])
    await bench.store.scrub()
    assert.equal((await bench.named('end-b').search({ text: 'words' })).length, 1)
    assert.equal(await bench.items('end-b').count(), 7)
  })

  test('the collection of a tenant is one object', () => {
    assert.equal(bench.items('iso-a'), bench.items('iso-a'))
    assert.notEqual(bench.items('iso-a'), bench.items('iso-b'))
  })
}
