import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadSettings } from '@gateway/kernel'
import { identify } from '../../src/access/identify.ts'

const settings = loadSettings({ env: { GATEWAY_ALLOWED_HOSTS: 'gateway.example' }, cwd: '/' })
const request = (over: Partial<Parameters<typeof identify>[0]> = {}) => ({
  peerAddress: '127.0.0.1',
  host: 'localhost:7411',
  origin: undefined,
  headers: {},
  ...over,
})
const code = (over: Partial<Parameters<typeof identify>[0]>): string => {
  try {
    return identify(request(over), settings).role
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('who is calling', () => {
  it('is the local operator for a direct local request', () => {
    for (const peerAddress of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) assert.equal(code({ peerAddress }), 'operator', peerAddress)
  })
  it('is nobody for another machine, whatever headers it sends', () => {
    for (const peerAddress of ['10.0.0.1', '192.168.1.5', '::ffff:10.0.0.1', '2001:db8::1', '']) {
      assert.equal(code({ peerAddress, headers: { 'x-forwarded-for': '127.0.0.1' } }), 'UNAUTHORIZED', peerAddress)
    }
  })
  it('is nobody for a forwarded request, since its peer is only the proxy', () => {
    for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']) assert.equal(code({ headers: { [name]: '' } }), 'UNAUTHORIZED', name)
  })
  it('is nobody when loopback trust is off', () => {
    assert.throws(() => identify(request(), { ...settings, loopbackTrust: false }), { code: 'UNAUTHORIZED' })
  })
  it('needs a Host that names this gateway, so that a rebound name gets nowhere', () => {
    for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1:7411', '[::1]:7411', 'gateway.example']) assert.equal(code({ host }), 'operator', host)
    for (const host of [undefined, '', 'evil.example', 'localhost.evil.example', 'localhost:x', '127.0.0.1@evil.example']) {
      assert.equal(code({ host }), 'FORBIDDEN', String(host))
    }
  })
  it('needs an absent or allowed Origin', () => {
    for (const origin of ['http://localhost:3000', 'https://gateway.example', 'http://[::1]:1']) assert.equal(code({ origin }), 'operator', origin)
    for (const origin of ['null', '', 'http://evil.example', 'file://', 'http://localhost.evil.example', 'http://localhost@evil.example']) {
      assert.equal(code({ origin }), 'FORBIDDEN', origin)
    }
  })
})
