import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin, type Plugin } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { scheduleRunner } from '../src/api.ts'
import { admin, create, MINUTE, runNow, start, target, tick } from './support.ts'

/** A family that makes agents runnable, by one of its tools. */
const agents = (tool: string): Plugin =>
  definePlugin({
    id: 'test-agents',
    sdk: '^1.0.0',
    description: 'For tests.',
    contributes: [
      contribute(scheduleRunner, {
        create: () => ({
          kind: 'agent',
          knows: async (target) => target !== 'nobody',
          call: (schedule) => ({ tool, args: { text: JSON.stringify(schedule) } }),
        }),
      }),
    ],
  })

test('a family makes a kind runnable: by a call of its tool, as whoever answers for the schedule', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin, agents('ring')] })
  const given = { kind: 'agent', target: 'writer', message: 'Write.', repo: 'web', includeMemoryContext: true }
  const schedule = await create(gateway, given, { as: admin })
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  const { target: agent, message, repo, includeMemoryContext } = JSON.parse(calls[0]?.text ?? '')
  assert.deepEqual({ kind: 'agent', target: agent, message, repo, includeMemoryContext }, given)
  assert.deepEqual([calls[0]?.principal.id, calls[0]?.principal.role], ['ann', 'admin'])
  assert.equal((await runNow(gateway, schedule, { as: admin })).lastStatus, 'success')
})

test('other kinds stay unavailable', async () => {
  const { plugin } = target()
  await using gateway = await start({ plugins: [plugin, agents('ring')] })
  const skill = await create(gateway, { kind: 'skill', target: 'summary' })
  await assert.rejects(runNow(gateway, skill), refusal('SWITCHED_OFF', undefined, /the plugin skills/))
})

test('its tool must be one the creator may call', async () => {
  const { plugin } = target()
  await using gateway = await start({ plugins: [plugin, agents('ring_operated')] })
  await assert.rejects(create(gateway, { kind: 'agent', target: 'writer' }, { as: admin }), refusal('FORBIDDEN'))
  await create(gateway, { kind: 'agent', target: 'writer' })
})
