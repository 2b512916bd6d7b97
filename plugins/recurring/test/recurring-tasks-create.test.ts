import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repoNames } from '@gateway/plugin-tasks/api'
import { contribute, definePlugin } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import recurring from '../src/index.ts'
import { at, create, list, queued, runNow, start, update } from './support.ts'

const full = {
  name: 'Nightly',
  cronExpr: '30 2 * * *',
  repo: 'web',
  title: 'Update the dependencies',
  description: 'All of them.',
  priority: 'P1',
  assignedAgent: 'keeper',
  recommendedModel: 'big',
  notes: 'Read the change logs.',
  overlapPolicy: 'stack',
}

/** A folder of the repo web. */
const clones = definePlugin({
  id: 'clones',
  sdk: '^1.0.0',
  description: 'Knows a clone.',
  contributes: [contribute(repoNames, { uses: {}, create: () => ({ nameOf: async (text) => (text === '/srv/web' ? 'web' : undefined) }) })],
})

test('a folder is the name of its repo, in what is made, changed and listed', async () => {
  await using gateway = await start({ plugins: [recurring, clones] })
  const made = await create(gateway, { repo: '/srv/web' })
  assert.equal(made.repo, 'web')
  await runNow(gateway, made)
  assert.equal((await queued(gateway))[0]?.repo, 'web')
  assert.equal((await update(gateway, made, { repo: 'api' })).repo, 'api')
  assert.equal((await update(gateway, made, { repo: '/srv/web', title: 'Tidy' })).repo, 'web')
  assert.equal((await list(gateway, { repo: '/srv/web' })).length, 1)
})

test('a template is stored as it was given, and is returned with the time of its next fire', async () => {
  await using gateway = await start()
  const { recurringId, ...rest } = await create(gateway, full)
  assert.match(recurringId, /^recurring-\w+$/)
  const times = { nextFireAt: at('02:30', '2026-01-06'), createdAt: at('09:00'), updatedAt: at('09:00') }
  assert.deepEqual(rest, { ...full, accept: 'manual', enabled: true, ...times })
  await gateway.restart()
  assert.deepEqual(await list(gateway), [{ recurringId, ...rest }])
  assert.deepEqual(await queued(gateway), [])
})

test('each of its tasks is of source scheduler, with the template as sourceId, and has all that the template says', async () => {
  await using gateway = await start()
  const template = await create(gateway, full)
  const { taskId } = await runNow(gateway, template)
  const { task } = await gateway.call('tasks.get', { taskId })
  const { repo, title, description, priority, assignedAgent, recommendedModel, notes, source, sourceId, status } = task
  const { name: _name, cronExpr: _cronExpr, overlapPolicy: _overlapPolicy, ...expected } = full
  assert.deepEqual({ repo, title, description, priority, assignedAgent, recommendedModel, notes }, expected)
  assert.deepEqual([source, sourceId, status], ['scheduler', template.recurringId, 'pending'])
})

test('priority, overlapPolicy and enabled omitted mean P2, skip and true', async () => {
  await using gateway = await start()
  const { priority, overlapPolicy, enabled } = await create(gateway)
  assert.deepEqual([priority, overlapPolicy, enabled], ['P2', 'skip', true])
  assert.equal((await create(gateway, { enabled: false })).enabled, false)
})

test('the answer shows the next three times it fires', async () => {
  await using gateway = await start()
  const { nextFires } = await gateway.call('recurring_tasks_create', { ...full, cronExpr: '0 */6 * * *' })
  assert.deepEqual(nextFires, [at('12:00'), at('18:00'), at('00:00', '2026-01-06')])
})

test('what is wrong with an argument is said with its name, and nothing is stored', async () => {
  await using gateway = await start()
  const wrong: [object, string, RegExp?][] = [
    [{ cronExpr: '* 25 * * *' }, 'cronExpr', /wrong hour.*"25"/],
    [{ cronExpr: '* * * *' }, 'cronExpr', /five fields/],
    [{ cronExpr: '0 0 31 2 *' }, 'cronExpr', /never fires/],
    [{ cronExpr: undefined }, 'cronExpr'],
    [{ name: undefined }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ repo: undefined }, 'repo'],
    [{ title: undefined }, 'title'],
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(501) }, 'title'],
    [{ priority: 'P4' }, 'priority'],
    [{ overlapPolicy: 'queue' }, 'overlapPolicy'],
    [{ enabled: 'yes' }, 'enabled'],
  ]
  for (const [args, field, says] of wrong) await assert.rejects(create(gateway, args), refusal('BAD_REQUEST', field, says))
  assert.deepEqual(await list(gateway), [])
})

test('it takes the capability configure', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
  await assert.rejects(create(gateway, {}, { as: { kind: 'user', role: 'member' } }), refusal('FORBIDDEN'))
  await create(gateway, {}, { as: { kind: 'user', role: 'admin' } })
})
