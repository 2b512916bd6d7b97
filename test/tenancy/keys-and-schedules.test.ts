import assert from 'node:assert/strict'
import { test } from 'node:test'
import schedules from '@gateway/plugin-schedules'
import tenants from '@gateway/plugin-tenants'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

const ADMIN = 'the-admin-token-of-the-tests'

test('a rotation lists the schedules of the old keys, and they go on under the new one, whose revocation ends them', async () => {
  const callers: string[] = []
  const ring = defineTool({
    name: 'ring',
    description: 'For tests.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({}, closed),
    output: Type.Object({}),
    async handle(_, _uses, { principal }) {
      callers.push(principal.id)
      return {}
    },
  })
  const target = definePlugin({ id: 'test-target', sdk: '^1.0.0', description: 'For tests.', tools: [ring] })
  await using gateway = await startTestGateway({ plugins: [tenants, schedules, target], env: { ADMIN_API_TOKEN: ADMIN } })
  const admin = (method: string, url: string, body: object = {}) =>
    gateway.inject({ method, url, headers: { 'x-admin-token': ADMIN }, body })
  const { apiKey } = (await admin('POST', '/api/tenants', { name: 'Acme', tenantId: 'acme' })).json()
  const { schedule } = (
    await gateway.inject({
      method: 'POST',
      url: '/api/tools/schedules_create',
      headers: { 'x-api-key': apiKey },
      body: { name: 'Ring', cronExpr: '0 * * * *', kind: 'tool', target: 'ring' },
    })
  ).json()

  const rotated = (await admin('POST', '/api/tenants/acme/rotate-key', { graceMinutes: 1 })).json()
  assert.deepEqual(rotated.goesOn, [{ kind: 'schedule', id: schedule.scheduleId, name: 'Ring' }])
  const hour = async (): Promise<void> => {
    gateway.clock.advance(3_600)
    await gateway.runJob('schedules.tick')
  }
  await hour()
  assert.deepEqual(callers, [`key:${rotated.keyId}`], 'long after the old key has ended')
  assert.equal((await admin('DELETE', `/api/tenants/acme/keys/${rotated.keyId}`, {})).status, 200)
  await hour()
  assert.equal(callers.length, 1)
})
