import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { logLevels } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { events } from './events.ts'
import { call, openSession, post, request } from './rpc.ts'
import { talkFixture } from './talk-plugin.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [talkFixture().plugin], listen: true })
})
after(() => gateway.stop())

const log = call('talk_log', { levels: logLevels })
const setLevel = (level: unknown, headers: Record<string, string>) => post(gateway, request('logging/setLevel', { level }), headers)

test('a session hears messages from the level it set on, in order, on the stream of the call', async () => {
  const headers = await openSession(gateway, '2025-06-18')
  for (const [i, level] of logLevels.entries()) {
    assert.deepEqual((await setLevel(level, headers)).json, { jsonrpc: '2.0', id: 1, result: {} })
    const said = (await (await events(gateway, { headers, body: log })).rest()).map(({ data }) => data)
    const message = (level: string) => ({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level, logger: 'talk', data: { said: level } },
    })
    assert.deepEqual(said.slice(0, -1), logLevels.slice(i).map(message))
    assert.deepEqual(said.at(-1).result.structuredContent, {})
  }
})

test('nobody hears a message who did not ask for any: another session, one that set no level, and a caller without', async () => {
  const loud = await openSession(gateway)
  await setLevel('debug', loud)
  for (const headers of [await openSession(gateway), {}, { ...loud, accept: 'application/json' }]) {
    const { headers: sent, json } = await post(gateway, log, { accept: 'application/json, text/event-stream', ...headers })
    assert.deepEqual([sent.get('content-type'), json.result.structuredContent], ['application/json; charset=utf-8', {}])
  }
})

test('a level that is none is -32602 and says which there are; without a session there is nowhere to keep one', async () => {
  const headers = await openSession(gateway)
  for (const level of ['loud', 'INFO', 7, null, undefined]) {
    const { status, json } = await setLevel(level, headers)
    assert.deepEqual([status, json.id, json.error.code], [200, 1, -32602])
    assert.match(json.error.message, /debug, info, notice/)
  }
  const { status, json } = await setLevel('info', {})
  assert.deepEqual([status, json.error.code], [200, -32600])
})
