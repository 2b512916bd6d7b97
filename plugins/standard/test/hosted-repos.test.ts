import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import { standardPlugins } from '../src/index.ts'

const SECRET = 'inbound-secret-0123456789'

async function start() {
  const gateway = await startTestGateway({ plugins: standardPlugins, env: { CODE_HOSTING_WEBHOOK_SECRET: SECRET } })
  const send = async (event: string, fullName: string, payload: object, hasRemote = true): Promise<string[]> => {
    const page = `https://code.example/${fullName}`
    const remote = hasRemote ? { clone_url: `${page}.git`, ssh_url: `git@code.example:${fullName}.git` } : {}
    const repository = { name: fullName.slice(fullName.indexOf('/') + 1), full_name: fullName, ...remote }
    const body = JSON.stringify({ repository, ...payload })
    const headers = {
      'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
    }
    const answer = await gateway.inject({ method: 'POST', url: '/api/webhooks/inbound/code-hosting', headers, body })
    assert.equal(answer.status, 202)
    return answer.json().changed
  }
  const pull = (fullName: string, more: object = {}) => {
    const html_url = `https://code.example/${fullName}/pull/7`
    return { number: 7, pull_request: { html_url, number: 7, title: 'Anemometer', state: 'open', base: { ref: 'main' }, ...more } }
  }
  return {
    gateway,
    send,
    pull,
    push: (fullName: string, hasRemote = true) => {
      const id = createHmac('sha256', fullName).digest('hex').slice(0, 40)
      const commits = [{ id, message: `Barograph of ${fullName}`, timestamp: '2026-05-01T10:00:00Z' }]
      return send('push', fullName, { ref: 'refs/heads/main', after: id, commits }, hasRemote)
    },
    /** Contents of the memory by the name of their repo. */
    remembered: async (query: string) => {
      const { results } = await gateway.call('memory_search', { query })
      return results.map(({ repo, content }: { repo: string; content: string }) => `${repo}: ${content}`).sort()
    },
    /** Names under which a collection has records. */
    namesIn: async (collection: string) =>
      ((await gateway.documents())[collection] ?? []).map((one) => (one as { repo: string }).repo).sort(),
    [Symbol.asyncDispose]: () => gateway.stop(),
  }
}

test('pushes and pull requests of two remotes that end alike reach the memory, card and graph of their own repo', async () => {
  await using set = await start()
  await set.gateway.call('repos_upsert', { name: 'api', gitRemote: 'ssh://git@code.example:2222/acme/api' })
  assert.deepEqual(await set.push('other/api'), [])
  assert.deepEqual(await set.push('acme/api'), ['api'])
  assert.deepEqual(await set.remembered('barograph'), ['api: Barograph of acme/api', 'other-api: Barograph of other/api'])
  assert.deepEqual(await set.namesIn('code-graph.refreshes'), ['api', 'other-api'])
  for (const fullName of ['other/api', 'acme/api']) await set.send('pull_request', fullName, set.pull(fullName))
  assert.deepEqual(await set.namesIn('code-graph.pulls'), ['api', 'other-api'])
  for (const fullName of ['other/api', 'acme/api'])
    await set.send('pull_request', fullName, set.pull(fullName, { merged: true, body: `of ${fullName}` }))
  assert.deepEqual(
    (await set.remembered('anemometer')).map((text: string) => text.replaceAll('\n\n', ' ')),
    ['api: Anemometer of acme/api', 'other-api: Anemometer of other/api'],
  )
})

test('a repo that is registered by its name alone receives its pushes, with a remote and without', async () => {
  await using set = await start()
  await set.gateway.call('repos_upsert', { name: 'api' })
  assert.deepEqual(await set.push('acme/api', false), ['api'])
  assert.deepEqual(await set.push('acme/api'), ['api'])
  assert.deepEqual(await set.remembered('barograph'), ['api: Barograph of acme/api'])
})

test('a pull request names tasks of its own repo, under its present and its older names, and its end moves them', async () => {
  await using set = await start()
  await set.gateway.call('repos_upsert', { name: 'api', gitRemote: 'git@code.example:acme/api.git' })
  await set.gateway.call('repos_upsert', { name: 'frontend', gitRemote: 'git@code.example:acme/web.git' })
  const create = async (repo: string): Promise<string> =>
    (await set.gateway.call('tasks_create', { repo, title: `Task of ${repo}` })).task.taskId
  const names = (fullName: string, taskId: string, more = {}) =>
    set.send('pull_request', fullName, set.pull(fullName, { head: { ref: `task/${taskId}` }, ...more }))
  const ofTask = (changed: readonly string[]) => changed.filter((id) => id.startsWith('task-'))
  const api = await create('api')
  assert.deepEqual(ofTask(await names('other/api', api)), [], 'a task of another repo')
  assert.deepEqual(ofTask(await names('acme/api', api)), [api])
  for (const repo of ['frontend', 'web', 'acme/web', 'https://code.example/acme/web']) {
    const task = await create(repo)
    const html_url = `https://code.example/acme/web/pull/${task}`
    assert.deepEqual(ofTask(await names('acme/web', task, { html_url })), [task], `named by ${repo}`)
    await set.gateway.call('tasks_update', { taskId: task, status: 'review' })
    assert.deepEqual(ofTask(await names('acme/web', task, { html_url, merged: true })), [task], repo)
    assert.equal((await set.gateway.call('tasks.get', { taskId: task })).task.status, 'done', repo)
  }
  await set.gateway.call('tasks_update', { taskId: api, status: 'review', prUrl: 'https://code.example/other/api/pull/7' })
  assert.deepEqual(ofTask(await set.send('pull_request', 'other/api', set.pull('other/api', { merged: true }))), [api], 'named by prUrl')
})
