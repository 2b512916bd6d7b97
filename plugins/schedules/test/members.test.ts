import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADA, signInAs, startWithProviders } from '../../sign-in/test/provider-support.ts'
import { ask, jar } from '../../sign-in/test/support.ts'
import schedules from '../src/index.ts'
import { MINUTE, owner, target } from './support.ts'

test('a schedule ends with the membership of the person who made it: it is switched off, and says why', async () => {
  const { plugin, calls } = target()
  const rules = [{ provider: 'company', emailDomain: 'example.com', tenantId: 'acme', role: 'admin' }]
  await using all = await startWithProviders(rules, { plugins: [schedules, plugin] })
  const { gateway } = all
  const ada = jar(await signInAs(all, ADA))
  const given = { name: 'A schedule', cronExpr: '*/5 * * * *', kind: 'tool', target: 'ring' }
  const made = await ask(gateway, 'POST', '/api/tools/schedules_create', ada, given)
  assert.equal(made.status, 200, made.body)
  const passes = async (): Promise<void> => {
    gateway.clock.advance(5 * MINUTE)
    await gateway.runJob('schedules.tick')
  }
  await passes()
  assert.equal(calls.length, 1)
  const [{ memberId }] = (await gateway.call('sign-in.members', {}, { as: owner })).members
  await gateway.call('sign-in.remove-member', { memberId }, { as: owner })
  await passes()
  const [{ enabled, lastStatus, lastError }] = (await gateway.call('schedules_list', {}, { as: owner })).schedules
  assert.deepEqual([calls.length, enabled, lastStatus], [1, false, 'error'])
  assert.match(lastError, /the member who made it was removed/)
})
