import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RequestFacts } from '../../core/src/ports/access.ts'
import { whyNotLocal } from '../src/local-trust.ts'
import { LOCAL_REQUEST } from './fixture.ts'

const why = (over: Partial<RequestFacts>, loopbackTrust = true) => whyNotLocal({ ...LOCAL_REQUEST, ...over }, { loopbackTrust })
const trusted = (over: Partial<RequestFacts>) => assert.equal(why(over), undefined, JSON.stringify(over))
const distrusted = (over: Partial<RequestFacts>, reason: RegExp) => assert.match(why(over) ?? 'trusted', reason, JSON.stringify(over))

describe('local trust', () => {
  it('goes by the socket’s peer', () => {
    for (const peerAddress of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) trusted({ peerAddress })
    for (const peerAddress of ['10.0.0.1', '192.168.1.5', '::ffff:10.0.0.1', '2001:db8::1', ''])
      distrusted({ peerAddress }, /does not come from this machine/)
  })

  it('needs a Host that only this machine can mean, also where others are allowed', () => {
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:7411', '[::1]']) trusted({ host })
    for (const host of [undefined, '', 'gateway.example', '192.0.2.2:7411', '127.0.0.2']) distrusted({ host }, /Host/)
  })

  it('ends at a header that says the request was forwarded', () => {
    for (const name of [
      'forwarded',
      'via',
      'x-forwarded',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-forwarded-port',
      'x-forwarded-server',
      'x-forwarded-by',
      'x-forwarded-whatever-comes',
      'x-real-ip',
      'x-real-port',
      'x-google-real-ip',
      'x-nginx-proxy',
      'client-ip',
      'remote-addr',
      'surrogate-capability',
      'cf-connecting-ip',
      'do-connecting-ip',
      'true-client-ip',
      'x-client-ip',
      'x-azure-clientip',
      'fly-client-ip',
      'fastly-client-ip',
      'x-cluster-client-ip',
      'x-appengine-user-ip',
      'cdn-loop',
      'x-envoy-external-address',
      'x-original-forwarded-for',
      'proxy-connection',
    ]) {
      distrusted({ headers: { [name]: '' } }, new RegExp(`${name} says`))
    }
  })

  it('does not end at what agents and browsers send', () => {
    for (const name of ['accept', 'user-agent', 'mcp-session-id', 'x-request-id', 'traceparent', 'x-amzn-trace-id', 'origin', 'referer'])
      trusted({ headers: { [name]: 'x' } })
  })

  it('ends at HTTP/1.0, which proxies speak to what is behind them', () => {
    for (const httpVersion of ['1.0', '0.9']) distrusted({ httpVersion }, /HTTP/)
  })

  it('ends where a browser says that the page of another origin asks, with or without an Origin', () => {
    for (const site of ['cross-site', 'same-site']) distrusted({ headers: { 'sec-fetch-site': site } }, /another origin/)
    for (const site of ['none', 'same-origin']) trusted({ headers: { 'sec-fetch-site': site } })
  })

  it('is off where the settings say so', () => {
    assert.match(why({}, false) ?? '', /GATEWAY_LOOPBACK_TRUST/)
  })
})
