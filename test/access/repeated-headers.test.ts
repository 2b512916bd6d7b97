import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import tenants from '@gateway/plugin-tenants'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const LOCAL = 'the-local-token-of-the-tests'
const ADMIN = 'the-admin-token-of-the-tests'

describe('a header sent twice', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await startTestGateway({ plugins: [tenants], listen: true, env: { GATEWAY_LOCAL_TOKEN: LOCAL, ADMIN_API_TOKEN: ADMIN } })
  })
  after(() => gateway.stop())

  /** Returns the status of a request with exactly these header lines. */
  async function status(path: string, ...lines: string[]): Promise<number> {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (part) => (answer += part.toString()))
    socket.write([`GET ${path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'))
    await once(socket, 'close')
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
  }
  const whoami = '/api/auth/whoami'
  const host = 'Host: localhost'

  it('is a wrong credential, whichever of the two is right: what stands in front may have gone by the other', async () => {
    const [right, wrong] = [`Bearer ${LOCAL}`, 'Bearer wrong']
    assert.equal(await status(whoami, host, `Authorization: ${right}`), 200)
    for (const [first, second] of [
      [right, wrong],
      [wrong, right],
      [right, right],
    ]) {
      assert.equal(await status(whoami, host, `Authorization: ${first}`, `Authorization: ${second}`), 401)
    }
    for (const name of ['X-Api-Key', 'X-Gateway-Local-Token'])
      assert.equal(await status(whoami, host, `${name}: ${LOCAL}`, `${name}: ${LOCAL}`), 401, name)
    assert.equal(await status('/api/tenants', host, `X-Admin-Token: ${ADMIN}`), 200)
    assert.equal(await status('/api/tenants', host, `X-Admin-Token: ${ADMIN}`, `X-Admin-Token: ${ADMIN}`), 401)
  })

  it('is a foreign Host or Origin, if either is foreign', async () => {
    for (const [first, second] of [
      ['localhost', 'evil.example'],
      ['evil.example', 'localhost'],
    ]) {
      assert.equal(await status(whoami, `Host: ${first}`, `Host: ${second}`), 403)
      assert.equal(await status(whoami, host, `Origin: http://${first}`, `Origin: http://${second}`), 403)
    }
  })

  it('says the request was forwarded, also where one of the two is empty', async () => {
    for (const [first, second] of [
      ['', '10.0.0.1'],
      ['10.0.0.1', ''],
    ]) {
      assert.equal(await status(whoami, host, `X-Forwarded-For: ${first}`, `X-Forwarded-For: ${second}`), 401)
    }
  })
})
