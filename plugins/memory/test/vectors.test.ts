import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LoadedVectors } from '../src/operations/loaded-vectors.ts'
import { Arena } from '../src/rules/arena.ts'
import { DIMENSIONS, lengthOf, packVectors, quantize, unpackVectors } from '../src/rules/quantize.ts'
import { TenantVectors } from '../src/rules/tenant-vectors.ts'

const bytes = fc.int8Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS })
const entry = (id: string, labels: readonly string[] = [], createdAt = '2026-01-01T00:00:00.000Z') => ({
  id,
  corpus: 'memory',
  labels,
  createdAt,
})
const cosine = (a: Int8Array, b: Int8Array): number => a.reduce((sum, x, i) => sum + x * (b[i] as number), 0) / lengthOf(a) / lengthOf(b)
let seed = 7
const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5
const vector = (): Int8Array => quantize(Float32Array.from({ length: DIMENSIONS }, random))

test('the product of two vectors is that of plain arithmetic', () => {
  const arena = new Arena()
  const block = arena.take()
  fc.assert(
    fc.property(bytes, bytes, (query, one) => {
      arena.write(block, 3, one)
      arena.query(query)
      assert.equal(
        arena.products(block, 4)[3],
        query.reduce((sum, x, i) => sum + x * (one[i] as number), 0),
      )
    }),
    { numRuns: 50 },
  )
})

test('quantized vectors keep their angles, and are unpacked as they were packed', () => {
  const [a, b] = [Float32Array.from({ length: DIMENSIONS }, random), Float32Array.from({ length: DIMENSIONS }, random)]
  const exact = a.reduce((sum, x, i) => sum + x * (b[i] as number), 0) / Math.hypot(...a) / Math.hypot(...b)
  assert.ok(Math.abs(cosine(quantize(a), quantize(b)) - exact) < 0.01)
  assert.deepEqual(unpackVectors(packVectors([quantize(a), quantize(b)])), [quantize(a), quantize(b)])
})

test('a scan finds exactly the nearest, whatever was added, replaced and removed before', async () => {
  const vectors = new TenantVectors(new Arena())
  const model = new Map<string, Int8Array[]>()
  for (let i = 0; i < 2_000; i++) {
    const id = `c${Math.floor((random() + 0.5) * 500)}`
    if (random() < -0.2) {
      vectors.delete(id)
      model.delete(id)
    } else {
      const own = Array.from({ length: 1 + (i % 3) }, vector)
      vectors.set(entry(id), own)
      model.set(id, own)
    }
  }
  const query = vector()
  const wanted = [...model].map(([id, own]) => [id, Math.max(...own.map((one) => cosine(query, one)))] as const).sort((a, b) => b[1] - a[1])
  const found = await vectors.nearest(query, { corpus: 'memory', labels: [] }, 20)
  assert.deepEqual(
    [...found.keys()].sort(),
    wanted
      .slice(0, 20)
      .map(([id]) => id)
      .sort(),
  )
  assert.equal(vectors.size, [...model.values()].flat().length)
  const asked = wanted.slice(30, 60)
  const cosines = vectors.cosines(query, [...asked.map(([id]) => id), 'unknown'])
  assert.equal(cosines.size, asked.length)
  for (const [id, near] of asked) assert.ok(Math.abs((cosines.get(id) as number) - near) < 1e-9)
})

test('a scan looks only at what its filter admits', async () => {
  const vectors = new TenantVectors(new Arena())
  vectors.set(entry('a', ['x']), [vector()])
  vectors.set(entry('b', ['x', 'y'], '2026-02-01T00:00:00.000Z'), [vector()])
  vectors.set({ ...entry('c', ['x', 'y']), corpus: 'brain' }, [vector()])
  const ids = async (filter: object) =>
    [...(await vectors.nearest(vector(), { corpus: 'memory', labels: [], ...filter }, 10)).keys()].sort()
  assert.deepEqual(await ids({}), ['a', 'b'])
  assert.deepEqual(await ids({ labels: ['x', 'y'] }), ['b'])
  assert.deepEqual(await ids({ since: '2026-01-15' }), ['b'])
  assert.deepEqual(await ids({ corpus: 'brain' }), ['c'])
})

test('what was used longest ago goes first when there is too much, and with the last of all the memory', () => {
  const loaded = new LoadedVectors({ idleMinutes: 10, maxMegabytes: 1 })
  for (const tenant of ['one', 'two']) {
    const { vectors } = loaded.open(tenant)
    for (let i = 0; i < 1_500; i++) vectors.set(entry(`c${i}`), [vector()])
  }
  assert.equal(loaded.fits('two'), true)
  assert.equal(loaded.get('one'), undefined)
  assert.equal(loaded.get('two')?.vectors.size, 1_500)
  loaded.drop('two')
  assert.equal(loaded.usedBytes, 0)
})
