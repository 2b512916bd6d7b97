import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadSettings } from '@gateway/settings'
import type { RequestFacts } from '../../core/src/ports/access.ts'
import { checkHost, checkOrigin } from '../src/origin.ts'
import { LOCAL_REQUEST } from './fixture.ts'

const env = { GATEWAY_ALLOWED_HOSTS: 'gateway.example', GATEWAY_ALLOWED_ORIGINS: 'http://localhost:3000,HTTPS://Board.example:443' }
const settings = loadSettings({ env, cwd: '/' })

const request = (over: Partial<RequestFacts>): RequestFacts => ({ ...LOCAL_REQUEST, ...over })
const check = (over: Partial<RequestFacts>) => {
  checkHost(request(over), settings)
  checkOrigin(request(over), settings)
}
const passes = (over: Partial<RequestFacts>) => assert.doesNotThrow(() => check(over), JSON.stringify(over))
const refused = (over: Partial<RequestFacts>) => assert.throws(() => check(over), { code: 'FORBIDDEN' }, JSON.stringify(over))

describe('Host and Origin', () => {
  it('Host must name this gateway, so that a rebound name gets nowhere', () => {
    for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1:7411', '[::1]:7411', 'gateway.example']) passes({ host })
    for (const host of [undefined, '', 'evil.example', 'localhost.evil.example', 'localhost:x', '127.0.0.1@evil.example']) refused({ host })
  })

  it('Origin must be absent, or http at the gateway’s own port under a name of the loopback', () => {
    for (const origin of [undefined, 'http://localhost:7411', 'http://127.0.0.1:7411', 'http://[::1]:7411']) passes({ origin })
    for (const origin of [
      'http://localhost:5173',
      'http://localhost',
      'https://localhost:7411',
      'null',
      '',
      'http://evil.example',
      'http://evil.example:7411',
      'file://',
      'http://localhost.evil.example',
      'http://localhost@evil.example',
      'http://localhost:7411/',
      'http://localhost:7411@evil.example',
    ]) {
      refused({ origin })
    }
  })

  it('an allowed origin passes with the port it was allowed with, in whatever case and form', () => {
    for (const origin of ['http://localhost:3000', 'https://board.example', 'https://board.example:443']) passes({ origin })
    for (const origin of ['http://localhost:3001', 'https://localhost:3000', 'http://board.example', 'https://board.example:8443'])
      refused({ origin })
  })

  it('under an allowed name the gateway’s own pages are those of the Host they call', () => {
    passes({ host: 'gateway.example', origin: 'https://gateway.example' })
    passes({ host: 'Gateway.Example:8443', origin: 'https://gateway.example:8443' })
    refused({ host: 'gateway.example', origin: 'https://gateway.example:8443' })
    refused({ host: 'localhost:7411', origin: 'https://gateway.example' })
  })
})
