import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { slugOf } from '../src/rules/slug.ts'
import { names, start } from './support.ts'

/** Starts a pipeline, and a gateway configured for it. */
async function withPipeline(answer: RequestListener) {
  const received: { url: string | undefined; method: string | undefined; token: string | undefined; body: Record<string, unknown> }[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({
        url: request.url,
        method: request.method,
        token: request.headers.authorization,
        body: JSON.parse(String(Buffer.concat(parts))),
      })
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/make`
  const set = await start({ NEW_APP_PIPELINE_URL: url, NEW_APP_PIPELINE_TOKEN: 'pipe-token' })
  return {
    ...set,
    received,
    [Symbol.asyncDispose]: async () => {
      await set[Symbol.asyncDispose]()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('the idea goes to the pipeline with its token, the card tells of it, and the repo that was made is answered', async () => {
  await using set = await withPipeline((_request, response) =>
    response.writeHead(202).end(JSON.stringify({ runId: 7, repo: { name: 'todo-for-cats', path: '/srv/todo', more: 1 } })),
  )
  const answer = await set.gateway.inject({ method: 'POST', url: '/api/headless/new-app', body: { idea: 'A todo list, for cats' } })
  const { name, card, pipeline, repo } = answer.json()
  assert.equal(name, 'a-todo-list-for-cats')
  const [sent] = set.received
  assert.deepEqual([sent?.url, sent?.method, sent?.token], ['/make', 'POST', 'Bearer pipe-token'])
  const { requestId, ...order } = sent?.body ?? {}
  assert.deepEqual([order, typeof requestId], [{ idea: 'A todo list, for cats', name, group: 'Generated' }, 'string'])
  assert.deepEqual([pipeline.triggered, pipeline.status, pipeline.answer.runId], [true, 202, 7])
  assert.deepEqual(repo, { name: 'todo-for-cats', path: '/srv/todo' })
  assert.deepEqual([card.repoName, card.group, card.description, card.lastStatusLevel], [name, 'Generated', 'A todo list, for cats', 'ok'])
})

test('name and group are taken where they are given', async () => {
  await using set = await withPipeline((_request, response) => response.end())
  const { name, card, pipeline } = await set.gateway.call('new_app', { idea: 'x', name: 'Mine', group: 'Apps' })
  assert.deepEqual([name, card.group, set.received[0]?.body.name, pipeline.answer], ['Mine', 'Apps', 'Mine', undefined])
})

test('the card is registered whatever becomes of the trigger', async () => {
  let status = 500
  await using set = await withPipeline((_request, response) => (status === 0 ? response.destroy() : response.writeHead(status).end()))
  const refused = await set.gateway.call('new_app', { idea: 'one' })
  assert.deepEqual(
    [refused.pipeline.triggered, refused.pipeline.code, refused.pipeline.status, refused.card.lastStatusLevel],
    [false, 'PIPELINE_REFUSED', 500, 'error'],
  )
  status = 0
  const broken = await set.gateway.call('new_app', { idea: 'two' })
  assert.deepEqual([broken.pipeline.triggered, broken.pipeline.code, broken.card.lastStatusLevel], [false, 'OUTGOING_FAILED', 'error'])
  assert.equal((await set.gateway.call('repos_card_list')).count, 2)
})

test('without the settings the card is registered, and the answer names the one that is missing', async () => {
  for (const [env, setting] of [
    [{}, 'NEW_APP_PIPELINE_URL'],
    [{ NEW_APP_PIPELINE_URL: 'https://pipe.example' }, 'NEW_APP_PIPELINE_TOKEN'],
  ] as const) {
    await using set = await start(env)
    const { pipeline, card } = await set.gateway.call('new_app', { idea: 'one' })
    assert.deepEqual([pipeline.triggered, pipeline.code, pipeline.setting, card.lastStatusLevel], [false, 'UNAVAILABLE', setting, 'warn'])
    assert.equal((await set.gateway.call('repos_card_list')).count, 1)
  }
})

test('with trigger false nothing is sent', async () => {
  await using set = await withPipeline((_request, response) => response.end())
  const { pipeline, card } = await set.gateway.call('new_app', { idea: 'one', trigger: false })
  assert.deepEqual([pipeline, set.received, card.lastStatusLevel], [{ triggered: false }, [], 'unknown'])
})

test('asked again for the same app it tries again; the card of another app is not touched', async () => {
  await using set = await withPipeline((_request, response) => response.end())
  await set.gateway.call('new_app', { idea: 'one' })
  await set.gateway.call('new_app', { idea: 'one' })
  assert.equal(set.received.length, 2)
  await set.gateway.call('repos_card_upsert', { repoName: 'taken', description: 'mine' })
  await assert.rejects(set.gateway.call('new_app', { idea: 'Taken!' }), { code: 'CONFLICT' })
  assert.equal(set.received.length, 2)
})

test('of control characters a card keeps none; the pipeline has the idea as it was told', async () => {
  await using set = await withPipeline((_request, response) => response.end())
  const idea = 'a\0b\r\n\tc\u007f'
  const { card } = await set.gateway.call('new_app', { idea, name: 'odd' })
  assert.deepEqual([card.description, set.received[0]?.body.idea], ['a b\n\tc', idea])
})

test('an idea without a word to name it by needs a name', async () => {
  await using set = await start()
  await assert.rejects(set.gateway.call('new_app', { idea: '猫' }), names('name'))
  await assert.rejects(set.gateway.call('new_app', { idea: '  ' }), names('idea'))
  assert.deepEqual([slugOf('Ein Café für Élodie!'), slugOf('…'), slugOf('x'.repeat(80))?.length], ['ein-cafe-fur-elodie', undefined, 50])
})
