import assert from 'node:assert/strict'
import { test } from 'node:test'
import { candidatesFor } from '../src/operations/candidates.ts'
import { LoadedVectors } from '../src/operations/loaded-vectors.ts'
import { DIMENSIONS, packVectors, quantize } from '../src/rules/quantize.ts'

const query = quantize(new Float32Array(DIMENSIONS).fill(1))
/** Vectors are less alike the greater the number is. */
const alike = (n: number): Int8Array => quantize(Float32Array.from({ length: DIMENSIONS }, (_, i) => (i < n ? 0.5 : 1)))

interface Kept {
  readonly record: { readonly id: string }
  readonly vector: object
}

function keptNear(n: number): [string, Kept] {
  const id = `r${n}`
  const vector = { id, corpus: 'memory', labels: [], createdAt: '2026-01-01T00:00:00.000Z', at: '2026-01-01T00:00:00.000Z', model: 'm' }
  return [id, { record: { id }, vector: { ...vector, vectors: packVectors([alike(n)]) } }]
}

/** The memory of a node on a store that others use too: it reads vectors again after a while, and these do not tell of removals. */
function node(store: ReadonlyMap<string, Kept>) {
  const loaded = new LoadedVectors({ idleMinutes: 10, maxMegabytes: 8 })
  let reads = 0
  const uses = {
    engine: { able: () => ({ able: true }), model: () => 'm', loaded, queryVector: async () => query },
    records: {
      search: async () => [],
      async getMany(ids: readonly string[]) {
        reads++
        return ids.flatMap((id) => store.get(id)?.record ?? [])
      },
    },
    vectors: { find: async () => ({ items: [...store.values()].map(({ vector }) => vector) }) },
  }
  const call = { tenantId: 't', signal: new AbortController().signal, log: { warn() {} } }
  async function search(): Promise<string[]> {
    const found = await candidatesFor(
      { corpus: 'memory', query: 'words', limit: 10 },
      { words: [], exact: [] },
      uses as never,
      call as never,
    )
    return found.candidates.map(({ record }) => record.id)
  }
  return { search, loaded, reads: () => reads, close: () => loaded.forget('t') }
}

test('records that another node removed do not take the places of those that are there', async (t) => {
  const store = new Map(Array.from({ length: 150 }, (_, n) => keptNear(n)))
  const here = node(store)
  const there = node(store)
  t.after(() => {
    for (const one of [here, there]) one.close()
  })
  assert.equal((await here.search()).length, 60)
  await there.search()
  for (let n = 0; n < 140; n++) store.delete(`r${n}`)
  const wanted = Array.from({ length: 10 }, (_, n) => `r${140 + n}`)
  assert.deepEqual((await here.search()).sort(), wanted)
  assert.equal(here.loaded.get('t')?.vectors.size, 10)
  const before = here.reads()
  await here.search()
  assert.equal(here.reads(), before + 1)
  for (const id of wanted) store.delete(id)
  assert.deepEqual(await there.search(), [])
})
