import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import { standardPlugins } from '../src/index.ts'

test('every family under plugins/ is in the distribution, once', () => {
  const folders = readdirSync(join(import.meta.dirname, '../..')).filter((name) => name !== 'standard' && !name.startsWith('.'))
  assert.deepEqual(standardPlugins.map(({ id }) => id).sort(), folders.sort())
})

test('the built-in families run together', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  for (const name of ['trash_list', 'tasks_list', 'schedules_list', 'recurring_tasks_list', 'swarm_list']) await gateway.call(name)
  await gateway.call('mail_inbox', { to: 'operator' })
})

test('the status page has the figures of the families: agents, skills, hooks and rules, sessions, and whether there is a model', async () => {
  for (const [config, llm] of [
    [{}, 'not_configured'],
    [{ providers: { providers: { local: { wire: 'openai', baseUrl: 'http://127.0.0.1:9', models: { standard: 'm' } } } } }, 'configured'],
  ] as const) {
    await using gateway = await startTestGateway({ plugins: standardPlugins, config })
    const page = (await gateway.inject({ method: 'GET', url: '/status' })).json()
    assert.deepEqual([page.llm, page.sessions], [llm, { total: 0, active: 0 }])
    for (const counted of ['agents', 'skills', 'hooks', 'rules']) assert.ok(page[counted] > 0, counted)
    assert.ok('embeddings' in page)
  }
})

test('the config file switches a family off, and its tools with it', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: { recurring: false } })
  await assert.rejects(gateway.call('recurring_tasks_list'), { code: 'UNKNOWN_TOOL' })
  await gateway.call('tasks_list')
})

test('a family that others need cannot be switched off alone: the start says which ones', async () => {
  const without = (...ids: string[]) =>
    startTestGateway({ plugins: standardPlugins, config: Object.fromEntries(ids.map((id) => [id, false])) })
  await assert.rejects(
    without('mailbox'),
    /plugin 'swarms'.*service mailbox, since plugin 'mailbox' is disabled[^]*plugin 'dispatch'.*service mailbox/,
  )
  await using gateway = await without('mailbox', 'swarms', 'dispatch')
  await gateway.call('tasks_list')
})

test('order does not matter: boot starts each family after those it needs', async () => {
  await using gateway = await startTestGateway({ plugins: [...standardPlugins].reverse() })
  await gateway.call('tasks_list')
})
