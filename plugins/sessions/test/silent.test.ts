import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { sessionKeeper } from '../src/api.ts'
import sessions from '../src/index.ts'

const MINUTE = 60

/** A gateway whose keeper cannot end the sessions of this name. */
const start = (stuck?: string) =>
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
                return { merged: false }
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
