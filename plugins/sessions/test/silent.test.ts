import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { sessionKeeper } from '../src/api.ts'
import sessions from '../src/index.ts'

const MINUTE = 60

/** A gateway whose keeper cannot end the sessions of this name, and calls `ending` at the end of each. */
const start = (stuck?: string, ending = async (_sessionId: string): Promise<void> => {}) =>
  startTestGateway({
    plugins: [
      sessions,
      definePlugin({
        id: 'keeper',
        sdk: '^1.0.0',
        description: 'Ends sessions.',
        contributes: [
          contribute(sessionKeeper, {
            create: () => ({
              begun: async () => ({}),
              observed: async (_session, steps) => steps.length,
              async ended({ sessionId }) {
                if (stuck !== undefined && sessionId.startsWith(stuck)) throw new Error('stuck')
                await ending(sessionId)
                return { merged: true }
              },
            }),
          }),
        ],
      }),
    ],
  })
type Gateway = Awaited<ReturnType<typeof start>>

async function begin(gateway: Gateway, sessionId: string, more: object = {}) {
  const body = { sessionId, host: 'codex', repo: 'web', ...more }
  const { status, json } = await gateway.inject({ method: 'POST', url: '/api/sessions/begin', body })
  assert.equal(status, 200)
  return json()
}
async function endings(gateway: Gateway): Promise<string[]> {
  const { json } = await gateway.inject({ method: 'GET', url: '/api/sessions' })
  return json()
    .sessions.filter(({ ending }: { ending?: string }) => ending === 'silent')
    .map(({ sessionId }: { sessionId: string }) => sessionId)
    .sort()
}

test('a silent session is ended, however many newer ones of its repo are active', async () => {
  await using gateway = await start()
  await begin(gateway, 'silent', { machine: 'm1', process: '7' })
  gateway.clock.advance(40 * MINUTE)
  for (let at = 0; at < 25; at++) {
    gateway.clock.advance(1)
    await begin(gateway, `s${at}`, { machine: 'm2' })
  }
  const { unfinished } = await begin(gateway, 'here', { machine: 'm1' })
  assert.deepEqual(unfinished[0], { sessionId: 'silent', machine: 'm1', process: '7' })
  assert.equal(unfinished.length, 20)
  gateway.clock.advance(21 * MINUTE)
  await begin(gateway, 'next')
  assert.deepEqual(await endings(gateway), ['silent'])
})

test('silent sessions are ended in portions, and those that cannot be ended do not hold up others', async () => {
  await using gateway = await start('stuck')
  for (let at = 0; at < 22; at++) await begin(gateway, `stuck${at}`)
  gateway.clock.advance(1)
  for (let at = 0; at < 25; at++) await begin(gateway, `free${at}`)
  gateway.clock.advance(61 * MINUTE)
  await begin(gateway, 'one')
  assert.equal((await endings(gateway)).length, 20)
  await begin(gateway, 'two')
  assert.equal((await endings(gateway)).length, 25)
})

test('a session that reports a step while it is ended stays open, and is ended again', async () => {
  let during: Promise<unknown> | undefined
  const gateway = await start(undefined, async (sessionId) => {
    const steps = [{ stepId: 'late', at: '2026-01-01T00:00:00.000Z' }]
    during ??= gateway.inject({ method: 'POST', url: `/api/sessions/${sessionId}/steps`, body: { steps } })
    await during
  })
  await using _stopped = gateway
  await begin(gateway, 's1')
  const end = async () => {
    const { sessionId: _id, ...answer } = (await gateway.inject({ method: 'POST', url: '/api/sessions/s1/end', body: {} })).json()
    return answer
  }
  assert.deepEqual(await end(), { status: 'active', merged: true, note: 'The session stays open: it reported steps while it was ended.' })
  assert.deepEqual(await end(), { status: 'closed', merged: true })
  assert.deepEqual(await end(), { status: 'closed', merged: false })
})

test('where no plugin keeps steps, a session that goes on after its end is active again', async () => {
  await using gateway = await startTestGateway({ plugins: [sessions] })
  await begin(gateway, 's1')
  const send = async (path: string, body: object) => (await gateway.inject({ method: 'POST', url: `/api/sessions/s1${path}`, body })).json()
  assert.equal((await send('/end', {})).status, 'closed')
  assert.deepEqual(await send('/steps', { steps: [{ stepId: 'late', at: '2026-01-01T00:00:00.000Z' }] }), { recorded: 0 })
  const { status, ending, closedAt } = (await gateway.inject({ method: 'GET', url: '/api/sessions/s1' })).json()
  assert.deepEqual([status, ending, closedAt], ['active', undefined, undefined])
})

test('a session that was closed by hand, or whose end failed, is ended by the next end', async () => {
  let fails = true
  await using gateway = await start(undefined, async () => {
    if (fails) throw new Error('full')
  })
  await begin(gateway, 's1')
  const send = async (method: string, path: string, body?: object) =>
    (await gateway.inject({ method, url: `/api/sessions/s1${path}`, ...(body && { body }) })).status
  assert.equal(await send('DELETE', ''), 200)
  assert.equal(await send('POST', '/end', {}), 500)
  fails = false
  assert.equal(await send('POST', '/end', { ending: 'silent' }), 200)
  assert.deepEqual(await endings(gateway), ['s1'])
  const { json } = await gateway.inject({ method: 'GET', url: '/api/sessions' })
  assert.ok(json().sessions.every((session: object) => !('endingUntil' in session)))
})
