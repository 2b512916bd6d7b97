import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { guardedLookup } from '../../outgoing/src/operations/lookup.ts'
import { isPublicAddress } from '../../outgoing/src/rules/addresses.ts'
import { ClosedAddress } from '../../outgoing/src/rules/failure.ts'
import { handlerCall, LIMITS } from './handler-call.ts'
import { Handlers } from './handlers.ts'
import { refusal } from './support.ts'

test('a name that is open when it is first looked up and closed the next time is refused the next time, and nothing is connected to', async () => {
  let connections = 0
  const inside = createServer(() => connections++).listen(0, '127.0.0.1')
  try {
    const answers = [['93.184.215.14'], ['127.0.0.1'], ['127.0.0.1', '93.184.215.14']]
    const asked: string[] = []
    const find = guardedLookup(async (name) => {
      asked.push(name)
      return answers[asked.length - 1] as string[]
    }, isPublicAddress)
    const once = (): Promise<unknown> =>
      new Promise((resolve, reject) =>
        find('rebind.example.com', { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
      )
    assert.deepEqual(await once(), [{ address: '93.184.215.14', family: 4 }])
    await assert.rejects(once(), ClosedAddress)
    // The whole way of a call from the stored URL on: resolved while connecting, refused, reported.
    const handlers = new Handlers(LIMITS, async () => answers[1] as string[])
    const { call } = handlerCall(handlers, 'https://rebind.example.com/hook')
    await assert.rejects(call(), refusal('HANDLER_FAILED', { reason: 'address' }))
    await assert.rejects(call(), refusal('HANDLER_FAILED', { reason: 'address' }))
    await handlers.close()
    assert.equal(connections, 0)
  } finally {
    inside.close()
  }
})

test('an address that stands in the URL is held to the same rule when the call goes out, whatever was stored', async () => {
  const handlers = new Handlers(LIMITS, async () => assert.fail('an address is not looked up'))
  for (const url of [
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/',
    'https://2130706433/',
    'https://[::ffff:10.0.0.1]/',
  ]) {
    await assert.rejects(handlerCall(handlers, url).call(), refusal('HANDLER_FAILED', { reason: 'address' }), url)
  }
  // A handler registered for this machine is called nowhere else.
  for (const url of ['http://10.0.0.1/', 'https://8.8.8.8/']) {
    await assert.rejects(handlerCall(handlers, url, { loopback: true }).call(), refusal('HANDLER_FAILED', { reason: 'address' }), url)
  }
  await handlers.close()
})

test('the rule for this machine asks no name server, not even for localhost', async () => {
  const handlers = new Handlers(LIMITS, async () => assert.fail('asked'))
  await assert.rejects(
    handlerCall(handlers, 'http://localhost:1/', { loopback: true }).call(),
    refusal('HANDLER_FAILED', { reason: 'unreachable' }),
  )
  await handlers.close()
})
