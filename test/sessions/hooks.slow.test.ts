import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { REMOTE, setting } from './setting.ts'

test('a session that went silent on another machine is ended by the next one in its repo; a step brings it back', async (t) => {
  const { service, machine, decide, get } = await setting(t)
  const begin = (sessionId: string, more: object = {}) =>
    service.inject({
      method: 'POST',
      url: '/api/sessions/begin',
      body: { sessionId, host: 'claude-code', repo: 'shop-a', remote: REMOTE, ...more },
    })
  assert.equal((await begin('a', { machine: 'far', process: '1 2 pid:[3]' })).json().branch, 'session/a')
  await decide('a', '# Far away\n\nDecision: because the sun shines there.')
  const one = await machine('one', 'shop-a')
  assert.doesNotMatch(await one.start('b'), /the sun shines/)
  service.clock.advance(61 * 60_000)
  assert.match(await one.start('c'), /the sun shines/)
  assert.equal((await get('/api/sessions/a')).ending, 'silent')
  const step = { stepId: 's1', at: '2026-01-01T00:00:00.000Z', tool: 'Bash' }
  for (let n = 0; n < 2; n++) await service.inject({ method: 'POST', url: '/api/sessions/a/steps', body: { steps: [step] } })
  assert.equal((await get('/api/sessions/a')).status, 'active')
  const { observations } = await service.call('brain_explore', { sections: ['observations'] })
  assert.equal(
    observations.filter(({ session }: { session?: string }) => session === 'a').length,
    1,
    'a step that is sent twice is kept once',
  )
})

test('while the gateway is not reached a session goes on, and all of it is sent afterwards', async (t) => {
  const { machine, get } = await setting(t)
  const one = await machine('one', 'shop-a')
  const away = { GATEWAY_URL: 'http://127.0.0.1:9' }
  assert.match((await one.hook('session-start', { session_id: 'a' }, away)).systemMessage, /No gateway answers/)
  const step = { session_id: 'a', tool_name: 'Bash', tool_input: { command: 'make all' }, tool_response: {} }
  assert.equal(await one.hook('tool-use', step, away), undefined)
  await one.commit('new.txt', 'Work without a gateway')
  const ended = await one.hook('session-end', { session_id: 'a' }, away)
  // A sender that runs beside it may hold the end back.
  assert.match(ended?.systemMessage ?? 'No gateway answers', /No gateway answers/)
  await one.hook('send')
  for (let n = 0; n < 100 && (await get('/api/sessions/a')).status !== 'closed'; n++) await pause(100)
  const { session, activity } = await get('/api/sessions/a/activity')
  assert.equal(session.status, 'closed')
  assert.match(JSON.stringify(activity), /make all/)
  assert.match(await one.start('b'), /Work without a gateway/)
})
