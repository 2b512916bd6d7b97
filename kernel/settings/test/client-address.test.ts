import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientAddress } from '../src/client-address.ts'

const from = (peerAddress: string, forwarded?: string | string[], trusted = ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']) =>
  clientAddress(trusted)({ peerAddress, headers: { 'x-forwarded-for': forwarded } })

describe('the address a caller is counted by', () => {
  it('is the socket’s peer, whatever that says, unless it is a trusted proxy', () => {
    assert.equal(from('192.0.2.1', '198.51.100.1'), '192.0.2.1')
    assert.equal(from('127.0.0.1', '198.51.100.1', []), '127.0.0.1')
    assert.equal(from('127.0.0.1'), '127.0.0.1')
  })

  it('is behind trusted proxies the last address that is none of theirs: what stands before, anybody may have written', () => {
    assert.equal(from('127.0.0.1', '198.51.100.1'), '198.51.100.1')
    assert.equal(from('127.0.0.1', '1.2.3.4, 198.51.100.1, 10.9.8.7'), '198.51.100.1')
    assert.equal(from('::ffff:127.0.0.1', ['1.2.3.4', '198.51.100.1']), '198.51.100.1')
    assert.equal(from('2001:db8::7', '2001:db9::1'), '2001:db9::1')
    assert.equal(from('127.0.0.1', '10.1.1.1, 10.2.2.2'), '10.1.1.1', 'of proxies alone the first')
  })

  it('is read with a port behind it; at what is no address the reading ends', () => {
    assert.equal(from('127.0.0.1', '198.51.100.1:4711'), '198.51.100.1')
    assert.equal(from('127.0.0.1', '[2001:db9::1]:4711'), '2001:db9::1')
    for (const odd of ['', 'unknown', '198.51.100.1, evil', ',', '1.2.3', 'x'.repeat(10_000)])
      assert.equal(from('127.0.0.1', odd), '127.0.0.1')
    assert.equal(from('', '198.51.100.1'), '')
  })
})
