import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadSettings } from '@gateway/kernel'
import { checkHost, isTrustedLocal } from '../../src/access/origin.ts'

const settings = loadSettings({ env: { GATEWAY_ALLOWED_HOSTS: 'gateway.example' }, cwd: '/' })
type Facts = Parameters<typeof checkHost>[0]
const request = (over: Partial<Facts> = {}): Facts => ({
  peerAddress: '127.0.0.1',
  host: 'localhost:7411',
  origin: undefined,
  headers: {},
  ...over,
})

const passes = (over: Partial<Facts>) => assert.doesNotThrow(() => checkHost(request(over), settings), JSON.stringify(over))
const refused = (over: Partial<Facts>) =>
  assert.throws(() => checkHost(request(over), settings), { code: 'FORBIDDEN' }, JSON.stringify(over))

describe('Host and Origin', () => {
  it('Host must name this gateway, so that a rebound name gets nowhere', () => {
    for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1:7411', '[::1]:7411', 'gateway.example']) passes({ host })
    for (const host of [undefined, '', 'evil.example', 'localhost.evil.example', 'localhost:x', '127.0.0.1@evil.example']) refused({ host })
  })

  it('Origin must be absent or allowed', () => {
    for (const origin of [undefined, 'http://localhost:3000', 'https://gateway.example', 'http://[::1]:1']) passes({ origin })
    for (const origin of ['null', '', 'http://evil.example', 'file://', 'http://localhost.evil.example', 'http://localhost@evil.example'])
      refused({ origin })
  })
})

describe('local trust', () => {
  it('goes by the socket’s peer', () => {
    for (const peerAddress of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])
      assert.ok(isTrustedLocal(request({ peerAddress })), peerAddress)
    for (const peerAddress of ['10.0.0.1', '192.168.1.5', '::ffff:10.0.0.1', '2001:db8::1', '']) {
      assert.ok(!isTrustedLocal(request({ peerAddress, headers: { 'x-forwarded-for': '127.0.0.1' } })), peerAddress)
    }
  })

  it('ends where a request was forwarded, since its peer is only the proxy', () => {
    for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'])
      assert.ok(!isTrustedLocal(request({ headers: { [name]: '' } })), name)
  })
})
