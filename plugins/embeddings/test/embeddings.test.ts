import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import embeddings from '../src/index.ts'
import { asker, models, needsModel } from './support.ts'

const start = (env: Record<string, string> = {}) => startTestGateway({ plugins: [embeddings, asker], env })
const withModel = () => start({ GATEWAY_MODEL_DIR: models as string })
const dot = (a: number[], b: number[]): number => a.reduce((sum, x, i) => sum + x * (b[i] as number), 0)

test('a text has a vector of length 1, and what means the like is near', needsModel, async () => {
  await using gateway = await withModel()
  const [cat, kitten, tax] = await gateway.call('embed', {
    texts: ['A cat sleeps on the sofa.', 'The kitten naps on the couch.', 'Taxes are due in April.'],
  })
  assert.equal(cat.length, 384)
  assert.ok(Math.abs(dot(cat, cat) - 1) < 1e-3)
  assert.ok(dot(cat, kitten) > dot(cat, tax) + 0.2)
})

test('the vector of a text is the same whatever stands beside it, and as a query', needsModel, async () => {
  await using gateway = await withModel()
  const [alone] = await gateway.call('embed', { texts: ['one text'] })
  const [, among] = await gateway.call('embed', { texts: ['something much longer than that, for padding to have an effect', 'one text'] })
  const [asked] = await gateway.call('embed', { texts: ['one text'], query: true })
  assert.deepEqual(among, alone)
  assert.deepEqual(asked, alone)
})

test('nothing runs before the first text; a process that is killed is started anew, and no text is lost', needsModel, async () => {
  await using gateway = await withModel()
  assert.deepEqual({ ...(await gateway.call('status')) }, { model: 'all-MiniLM-L6-v2', dimensions: 384, running: false, state: 'ready' })
  const before = childPids()
  await gateway.call('embed', { texts: ['start'] })
  assert.equal((await gateway.call('status')).running, true)
  const texts = Array.from({ length: 30 }, (_, i) => `text number ${i} `.repeat(20))
  const under = gateway.call('embed', { texts })
  for (const pid of childPids().filter((one) => !before.includes(one))) process.kill(pid, 'SIGKILL')
  assert.equal((await under).length, 30)
})

test('a caller who leaves is waited for no longer', needsModel, async () => {
  await using gateway = await withModel()
  const leaving = new AbortController()
  const under = gateway.call(
    'embed',
    { texts: Array.from({ length: 200 }, (_, i) => `long ${i} `.repeat(100)) },
    { signal: leaving.signal },
  )
  leaving.abort(new Error('gone'))
  await assert.rejects(under)
  assert.equal((await gateway.call('embed', { texts: ['next'] })).length, 1)
})

test('switched off, it says which setting switches it on', async () => {
  await using gateway = await start({ GATEWAY_EMBEDDINGS: 'off' })
  const { state, remedy } = await gateway.call('status')
  assert.equal(state, 'off')
  assert.match(remedy, /GATEWAY_EMBEDDINGS/)
  await assert.rejects(gateway.call('embed', { texts: ['x'] }), { code: 'UNAVAILABLE', status: 503, message: /GATEWAY_EMBEDDINGS/ })
})

test('without a model, or without the package, it says what is missing; /status says so too', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'no-model-'))
  await using gateway = await start({ GATEWAY_MODEL_DIR: empty })
  const status = await gateway.call('status')
  const remedy = /GATEWAY_MODEL_DIR|npm run embeddings:install/
  assert.equal(status.state, 'unavailable')
  assert.match(status.remedy, remedy)
  await assert.rejects(gateway.call('embed', { texts: ['x'] }), { code: 'UNAVAILABLE', message: remedy })
  const { embeddings } = (await gateway.inject({ method: 'GET', url: '/status' })).json()
  assert.equal(embeddings.state, 'unavailable')
  // Tenants read the status too, so it must not reveal where the operator keeps files.
  assert.ok(!JSON.stringify(status).includes(empty))
  rmSync(empty, { recursive: true })
})

test('a setting that is no mode stops the start', async () => {
  await assert.rejects(start({ GATEWAY_EMBEDDINGS: 'sometimes' }), /`mode` must be one of auto, off/)
})

/** Returns the children of this process; empty on systems without /proc. */
function childPids(): number[] {
  return (process as unknown as { _getActiveHandles(): { pid?: number; kill?: unknown }[] })
    ._getActiveHandles()
    .flatMap(({ pid, kill }) => (typeof pid === 'number' && typeof kill === 'function' ? [pid] : []))
}
