import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/sdk/testing'
import { standardPlugins } from '../src/index.ts'

const ids = standardPlugins.map(({ id }) => id)

test('the built-in families run together', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  assert.deepEqual(ids, [
    'trash',
    'tasks',
    'mailbox',
    'leases',
    'runners',
    'schedules',
    'recurring',
    'fleet',
    'connectors',
    'tenants',
    'plugin-tools',
    'discovery',
  ])
  for (const name of ['trash_list', 'tasks_list', 'schedules_list', 'recurring_tasks_list']) await gateway.call(name)
  await gateway.call('mail_inbox', { to: 'operator' })
})

test('the config file switches a family off, and its tools with it', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: { mailbox: false } })
  await assert.rejects(gateway.call('mail_inbox', { to: 'operator' }), { code: 'UNKNOWN_TOOL' })
  await gateway.call('tasks_list')
})

test('order does not matter: boot starts each family after those it needs', async () => {
  await using gateway = await startTestGateway({ plugins: [...standardPlugins].reverse() })
  await gateway.call('tasks_list')
})
