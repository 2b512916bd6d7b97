import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { badRequests, type BadRequest, brokenHttp } from './bad-requests.ts'
import { assertServes, type Running, runGateway } from './running.ts'
import { type Answer, ask, raw, Wire } from './wire.ts'

describe('a bad request', () => {
  let running: Running
  before(async () => {
    running = await runGateway()
  })
  after(() => running.stop())

  for (const bad of badRequests) {
    it(`${bad.says} is ${bad.status} ${bad.code}, and changes nothing`, async () => {
      const contents = running.contents()
      assertRefused(bad, await ask(running.url, encode(bad)))
      assert.deepEqual(running.contents(), contents)
    })
  }

  for (const bad of brokenHttp) {
    it(`${bad.says} is ${bad.status} ${bad.code}, and the connection is closed`, async () => {
      const wire = await Wire.open(running.url)
      wire.send(encode(bad))
      const [answer] = await wire.answers(1)
      assertRefused(bad, answer)
      await wire.closed
      await assertServes(running.url)
    })
  }

  it('requests pipelined behind bad ones are answered in order', async () => {
    const wire = await Wire.open(running.url)
    const bad = badRequests.filter(({ bytes }) => bytes.length < 10_000)
    wire.send(Buffer.concat([...bad, ...bad].flatMap((one) => [encode(one), Buffer.from(raw('GET', '/health'))])))
    const answers = await wire.answers(bad.length * 4)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...bad, ...bad].flatMap(({ status }) => [status, 200]),
    )
    wire.close()
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

function assertRefused({ status, code, names }: BadRequest, answer: Answer | undefined): void {
  assert.equal(answer?.status, status, JSON.stringify(answer))
  assert.equal(answer.body?.code ?? answer.body?.error?.code, code)
  const sentence: unknown = typeof answer.body.error === 'string' ? answer.body.error : answer.body.error.message
  assert.equal(typeof sentence, 'string')
  assert.ok((sentence as string).includes(names ?? ''), `${sentence} does not name ${names}`)
}

/** Each character is one byte, so that a table of strings can hold bytes that are no UTF-8. */
const encode = ({ bytes }: BadRequest): Buffer => Buffer.from(bytes, 'latin1')
