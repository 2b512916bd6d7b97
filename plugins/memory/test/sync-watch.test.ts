import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DIMENSIONS, embeddings } from '@gateway/plugin-embeddings/api'
import { definePlugin, provideProcess } from '@gateway/sdk'
import type { TestGateway } from '@gateway/testing'
import { start } from './support.ts'

const MINUTE = 60

/** A model that fails, works, or is missing, as the test decides. */
function model() {
  const is = { state: 'ready' as 'ready' | 'off', works: false }
  const plugin = definePlugin({
    id: 'embeddings',
    sdk: '^1.0.0',
    description: 'Vectors for a test.',
    provides: [
      provideProcess(embeddings, {
        create: () => ({
          status: () => ({ state: is.state, model: 'one', dimensions: DIMENSIONS, running: true }),
          async embed(texts) {
            if (!is.works) throw new Error('the process ended')
            return texts.map(() => new Float32Array(DIMENSIONS).fill(DIMENSIONS ** -0.5))
          },
          forgetQueries() {},
        }),
      }),
    ],
  })
  return { is, plugin }
}

const told = (gateway: TestGateway): unknown[] =>
  gateway.logs
    .filter(({ source, event }) => event === 'gateway.alert' && source === 'memory.sync')
    .map(({ level, tenantId }) => [level, tenantId])

test('vectors that stay behind what was stored are told of once, and once more when they are in step', async () => {
  const { is, plugin } = model()
  await using gateway = await start({ plugins: [plugin] })
  await gateway.call('memory_store', { content: 'the quick fox' })
  gateway.clock.advance(30 * MINUTE)
  await gateway.runJob('memory.sync-watch')
  assert.deepEqual(told(gateway), [], 'not before its time')
  for (let i = 0; i < 2; i++) {
    gateway.clock.advance(1)
    await gateway.runJob('memory.sync-watch')
    assert.deepEqual(told(gateway), [['warning', 'local']])
  }
  await gateway.restart()
  is.works = true
  await gateway.runJob('memory.embed')
  for (let i = 0; i < 2; i++) {
    await gateway.runJob('memory.sync-watch')
    assert.deepEqual(told(gateway).slice(-1), [['info', 'local']])
  }
})

test('without a model nothing is to be in step, and nobody is told', async () => {
  const { is, plugin } = model()
  is.state = 'off'
  await using gateway = await start({ plugins: [plugin] })
  await gateway.call('memory_store', { content: 'the quick fox' })
  gateway.clock.advance(24 * 60 * MINUTE)
  await gateway.runJob('memory.sync-watch')
  assert.deepEqual(told(gateway), [])
})
