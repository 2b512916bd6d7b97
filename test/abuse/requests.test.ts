import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type BadRequest, badRequests, brokenHttp } from './bad-requests.ts'
import { assertServes, type Running, runGateway } from './running.ts'
import { type Answer, ask, isLast, raw, Wire } from './wire.ts'

describe('a bad request', () => {
  let running: Running
  before(async () => {
    running = await runGateway()
  })
  after(() => running.stop())

  for (const bad of badRequests) {
    it(`${bad.says} is ${bad.status} ${bad.code}, and changes nothing`, async () => {
      const contents = running.contents()
      assertRefused(bad, await ask(running.url, bad.bytes))
      assert.deepEqual(running.contents(), contents)
    })
  }

  for (const bad of brokenHttp) {
    it(`${bad.says} is ${bad.status} ${bad.code}, and the connection is closed`, async () => {
      const wire = await Wire.open(running.url)
      wire.send(bad.bytes)
      const [answer] = await wire.answers(1)
      assertRefused(bad, answer)
      await wire.closed
      await assertServes(running.url)
    })
  }

  it('what is pipelined behind a bad request is answered in order, unless the answer closes the connection', async () => {
    for (const { says, bytes, status } of badRequests) {
      const wire = await Wire.open(running.url)
      wire.send(bytes + raw('GET', '/health'))
      const [first] = await wire.answers(1)
      assert.equal(first?.status, status, says)
      if (isLast(first)) await wire.closed
      else assert.equal((await wire.answers(1))[0]?.status, 200, says)
      wire.close()
    }
  })

  it('garbage pipelined behind a good request neither harms its answer nor is answered as another', async () => {
    const wire = await Wire.open(running.url)
    wire.send(`${raw('GET', '/health')}\u0000garbage\r\n\r\n${raw('GET', '/health')}`)
    const answers = await wire.answers(3)
    assert.equal(answers.filter(({ status }) => status === 200).length <= 1, true)
    assert.ok(answers.every(({ status }) => status === 200 || status === 400))
    await wire.closed
    await assertServes(running.url)
  })
})

/** Accepts an error record, a JSON-RPC error, or the refusal of a tool over MCP: each has a code and a message. */
function assertRefused({ status, code, names }: BadRequest, answer: Answer | undefined): void {
  assert.equal(answer?.status, status, JSON.stringify(answer))
  const record = answer.body.result?.structuredContent ?? answer.body
  const error = typeof record.error === 'string' ? { code: record.code, message: record.error } : record.error
  assert.equal(error.code, code)
  assert.ok(error.message.includes(names), `${error.message} names ${names}`)
}
