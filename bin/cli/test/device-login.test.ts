import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError, EXIT, isCommandError } from '@gateway/sdk/command'
import { deviceLogin } from '../src/token/device-login.ts'
import type { Answer } from '../src/token/token-endpoint.ts'

const BEGUN = {
  device_code: 'device',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://gateway.example/oauth/device',
  verification_uri_complete: 'https://gateway.example/oauth/device?user_code=BCDF-GHJK',
  expires_in: 600,
  interval: 5,
}
const TOKENS = { access_token: 'gwo_1', refresh_token: 'gwr_1', expires_in: 3_600 }
type Step = { status: number; answer: Answer } | Error
const refusal = (error: string): Step => ({ status: 400, answer: { error } })

/** Logs in where the token endpoint answers these steps one after the other, the last one again and again. */
async function login(steps: readonly Step[], begun: { status: number; answer: Answer } = { status: 200, answer: BEGUN }) {
  const waits: number[] = []
  const shown: string[] = []
  let at = 0
  const result = deviceLogin(
    {
      post: async (path) => {
        if (path === '/oauth/device_authorization') return begun
        const step = steps[Math.min(at++, steps.length - 1)] as Step
        if (step instanceof Error) throw step
        return step
      },
      wait: async (seconds) => void waits.push(seconds),
      show: async ({ code }) => void shown.push(code),
    },
    'read work',
  )
  return { result, waits, shown }
}

test('a login by device code asks at the interval, slows down when it is told to, and gets tokens', async () => {
  const { result, waits, shown } = await login([
    refusal('authorization_pending'),
    refusal('slow_down'),
    refusal('authorization_pending'),
    { status: 429, answer: {} },
    new CommandError(EXIT.unreachable, 'not reached'),
    { status: 200, answer: TOKENS },
  ])
  assert.equal((await result).access_token, 'gwo_1')
  assert.deepEqual([waits, shown], [[5, 5, 10, 10, 15, 20], ['BCDF-GHJK']])
})

test('a login that is refused, expires, or is not possible says so', async () => {
  const failed = async (steps: readonly Step[], begun?: { status: number; answer: Answer }) => {
    const error = await (await login(steps, begun)).result.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    assert.ok(isCommandError(error))
    return [error.exitCode, error.message] as const
  }
  assert.deepEqual(await failed([refusal('access_denied')]), [EXIT.refused, 'The login was refused in the browser.'])
  assert.match((await failed([refusal('expired_token')]))[1], /The code has expired/)
  assert.match((await failed([refusal('authorization_pending')]))[1], /nobody approved it in time/)
  assert.match((await failed([refusal('invalid_grant')]))[1], /The login has failed: invalid_grant/)
  assert.match((await failed([], { status: 404, answer: {} }))[1], /GATEWAY_PUBLIC_URL is not set there.*--key K/)
  assert.equal((await failed([], { status: 200, answer: { ...BEGUN, verification_uri: 'file:///etc/passwd' } }))[0], EXIT.failure)
})
