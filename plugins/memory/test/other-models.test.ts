import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestGateway } from '@gateway/testing'
import { modelNamed, start, storeAll } from './support.ts'

const notes = [{ content: 'The cat sleeps on the sofa.' }, { content: 'Invoices are sent monthly.' }]
const models = async (gateway: TestGateway): Promise<string[]> =>
  ((await gateway.documents())['memory.vectors'] ?? []).map((entry) => (entry as { model: string }).model)
const embedded = async (gateway: TestGateway): Promise<string[]> => {
  while ((await models(gateway)).length < notes.length) {
    await gateway.runJob('memory.embed')
    await delay(5)
  }
  return models(gateway)
}

test('vectors of another model are never compared with: what they were of waits for new ones, and is found by words meanwhile', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-models-'))
  try {
    const first = await start({ dataDir, plugins: [modelNamed('one')] })
    await storeAll(first, notes)
    assert.deepEqual(await embedded(first), ['one', 'one'])
    assert.equal((await first.call('memory_search', { query: 'cat' })).mode, 'hybrid')
    await first.stop()

    await using second = await start({ dataDir, plugins: [modelNamed('two')] })
    const meanwhile = await second.call('memory_search', { query: 'cat sofa' })
    assert.deepEqual([meanwhile.results[0].content, meanwhile.results[0].foundBy], [notes[0]?.content, ['words']])
    assert.ok(!(await models(second)).includes('one'))
    assert.deepEqual(await embedded(second), ['two', 'two'])
    const after = await second.call('memory_search', { query: 'cat sofa' })
    assert.deepEqual([after.mode, after.results[0].foundBy], ['hybrid', ['words', 'vectors']])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('a tenant that nobody searches is embedded anew by itself, and nothing is when the model is the same', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-models-'))
  try {
    const first = await start({ dataDir, plugins: [modelNamed('one')] })
    await storeAll(first, notes)
    const before = (await embedded(first)) && (await first.documents())['memory.vectors']
    await first.runJob('memory.other-models')
    await first.runJob('memory.embed')
    assert.deepEqual((await first.documents())['memory.vectors'], before)
    await first.stop()
    await using second = await start({ dataDir, plugins: [modelNamed('two')] })
    await second.runJob('memory.other-models')
    assert.deepEqual(await embedded(second), ['two', 'two'])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('a text that the model cannot read has no vectors, is not counted as embedded, and waits again for a model that can', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-models-'))
  try {
    const first = await start({ dataDir, plugins: [modelNamed('one')] })
    await storeAll(first, [...notes, { content: 'Το κλειδί είναι κάτω από τη γλάστρα.', repo: 'a' }])
    await embedded(first)
    await first.runJob('memory.embed')
    const counts = async (gateway: TestGateway, repo?: string): Promise<number[]> => {
      const { total, embedded } = await gateway.call('memory_stats', { ...(repo !== undefined && { repo }) })
      return [total, embedded]
    }
    assert.deepEqual(
      [await counts(first), await counts(first, 'a')],
      [
        [3, 2],
        [1, 0],
      ],
    )
    await first.runJob('memory.other-models')
    assert.deepEqual(await counts(first), [3, 2])
    await first.stop()
    await using second = await start({ dataDir, plugins: [modelNamed('multilingual-two')] })
    await second.runJob('memory.other-models')
    for (let tries = 0; (await models(second)).length < 3 && tries < 200; tries++) {
      await second.runJob('memory.embed')
      await delay(5)
    }
    assert.deepEqual([await counts(second), (await models(second)).length], [[3, 3], 3])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
