import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import embeddingsPlugin from '@gateway/plugin-embeddings'
import { DIMENSIONS, type EmbeddingsStatus, embeddings } from '@gateway/plugin-embeddings/api'
import { definePlugin, type Plugin, provideProcess, Unavailable } from '@gateway/sdk'
import type { TestGateway } from '@gateway/testing'
import { start } from './support.ts'

/** A model whose state and answers a test decides. */
function modelIn(now: { state: EmbeddingsStatus['state']; answersQueries: boolean }): Plugin {
  return definePlugin({
    id: 'embeddings',
    sdk: '^1.0.0',
    description: 'A model in the state that a test wants.',
    provides: [
      provideProcess(embeddings, {
        create: () => ({
          status: () => ({ state: now.state, model: 'test', dimensions: DIMENSIONS, running: false, reason: 'Reason.' }),
          embed: async (texts, { query = false } = {}) => {
            if (query && !now.answersQueries) throw Unavailable({ message: 'It starts.' })
            return texts.map(() => new Float32Array(DIMENSIONS).fill(1 / Math.sqrt(DIMENSIONS)))
          },
          forgetQueries: () => undefined,
        }),
      }),
    ],
  })
}

/** Returns the model state that each kind of search reports. */
async function said(gateway: TestGateway) {
  const post = async (url: string) => (await gateway.inject({ method: 'POST', url, body: { query: 'ledger' } })).json()
  const answers = [
    await gateway.call('memory_search', { query: 'ledger' }),
    await gateway.call('recall_session', { query: 'ledger' }),
    await gateway.call('memory_context', { query: 'ledger' }),
    await post('/api/memory/search'),
    await post('/api/vectors/search'),
    await post('/api/memory/context'),
  ]
  const states = new Set(answers.map(({ mode, model }) => `${mode} ${model}`))
  assert.equal(states.size, 1, [...states].join(', '))
  return { state: [...states][0], hint: answers[0].hint as string | undefined }
}

async function stored(gateway: TestGateway): Promise<void> {
  await gateway.call('memory_store', { content: 'The ledger moved.', sessionId: 's' })
}

test('a search by words says that the model is loading while it starts or is fetched, and is hybrid once it answers', async () => {
  const now = { state: 'ready' as EmbeddingsStatus['state'], answersQueries: false }
  await using gateway = await start({ plugins: [modelIn(now)] })
  await stored(gateway)
  while ((await gateway.call('memory_stats')).embedded < 1) await turn()
  const starting = await said(gateway)
  assert.equal(starting.state, 'lexical loading')
  assert.match(starting.hint as string, /starting/)
  now.state = 'fetching'
  assert.equal((await said(gateway)).state, 'lexical loading')
  Object.assign(now, { state: 'ready', answersQueries: true })
  assert.deepEqual(await said(gateway), { state: 'hybrid undefined', hint: undefined })
})

test('a search by words says that the model is ready where no text has vectors yet, and by tags alone says nothing of it', async () => {
  const now = { state: 'unavailable' as EmbeddingsStatus['state'], answersQueries: true }
  await using gateway = await start({ plugins: [modelIn(now)] })
  await stored(gateway)
  assert.equal((await said(gateway)).state, 'lexical absent')
  now.state = 'ready'
  const without = await said(gateway)
  assert.equal(without.state, 'lexical ready')
  assert.match(without.hint as string, /no text has vectors yet/i)
  assert.equal('model' in (await gateway.call('memory_search', { tags: ['x'] })), false)
})

test('a search by words says that the model is off, or not installed', async () => {
  await using without = await start()
  assert.equal((await said(without)).state, 'lexical off')
  await using off = await start({ plugins: [embeddingsPlugin], env: { GATEWAY_EMBEDDINGS: 'off' } })
  assert.equal((await said(off)).state, 'lexical off')
  const empty = mkdtempSync(join(tmpdir(), 'no-model-'))
  try {
    await using absent = await start({ plugins: [embeddingsPlugin], env: { GATEWAY_MODEL_DIR: empty } })
    assert.equal((await said(absent)).state, 'lexical absent')
  } finally {
    rmSync(empty, { recursive: true })
  }
})
