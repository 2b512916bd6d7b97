import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import embeddings from '../src/index.ts'
import { asker, models, needsModel } from './support.ts'

const look = async (gateway: TestGateway) => (await gateway.inject({ method: 'GET', url: '/health/deep' })).json().embeddings
const start = (env: Record<string, string>) => startTestGateway({ plugins: [embeddings, asker], env })

test('a gateway without embeddings is well: texts are searched by words', async () => {
  await using gateway = await start({ GATEWAY_EMBEDDINGS: 'off' })
  assert.deepEqual(await look(gateway), { status: 'healthy', state: 'off', running: false })
})

test('a look starts no process, and asks one that runs', needsModel, async () => {
  await using gateway = await start({ GATEWAY_MODEL_DIR: models as string })
  assert.deepEqual(await look(gateway), { status: 'healthy', state: 'ready', running: false })
  await gateway.call('embed', { texts: ['a frog'] })
  assert.deepEqual(await look(gateway), { status: 'healthy', state: 'ready', running: true })
})
