import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { mintKey, parseKey } from '../src/api-key.ts'

const environment = fc.constantFrom('live' as const, 'test' as const)
const minted = environment.map(mintKey)

describe('API keys', () => {
  it('read gw_<environment>_<id>_<secret><checksum>, and are parsed to what they were minted as', () => {
    fc.assert(
      fc.property(environment, (name) => {
        const key = mintKey(name)
        assert.match(key.key, new RegExp(`^gw_${name}_${key.keyId}_[0-9A-Za-z]{38}$`))
        assert.match(key.keyId, /^[0-9A-Za-z]{12}$/)
        assert.deepEqual(parseKey(key.key), key)
      }),
    )
  })

  it('never repeat, nor do their ids', () => {
    const keys = Array.from({ length: 1_000 }, () => mintKey('live'))
    assert.equal(new Set(keys.map(({ key }) => key)).size, keys.length)
    assert.equal(new Set(keys.map(({ keyId }) => keyId)).size, keys.length)
  })

  it('with any one character changed are refused', () => {
    fc.assert(
      fc.property(minted, fc.nat(), fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }), ({ key }, place, other) => {
        const at = place % key.length
        fc.pre(key[at] !== other)
        assert.equal(parseKey(key.slice(0, at) + other + key.slice(at + 1)), undefined)
      }),
      { numRuns: 1_000 },
    )
  })

  it('with every character changed in turn are refused', () => {
    const { key } = mintKey('live')
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'x' ? 'y' : 'x'
      assert.equal(parseKey(key.slice(0, at) + other + key.slice(at + 1)), undefined, `at ${at}`)
    }
  })

  it('with a character more, less, or two of them exchanged are refused', () => {
    fc.assert(
      fc.property(minted, fc.nat(), fc.constantFrom('a', '0', '_', ' ', '\n', '\0'), ({ key }, place, extra) => {
        const at = place % key.length
        assert.equal(parseKey(key.slice(0, at) + extra + key.slice(at)), undefined)
        assert.equal(parseKey(key + extra), undefined)
        assert.equal(parseKey(key.slice(0, at) + key.slice(at + 1)), undefined)
        const exchanged = [...key]
        const next = (at + 1) % key.length
        ;[exchanged[at], exchanged[next]] = [exchanged[next] as string, exchanged[at] as string]
        fc.pre(exchanged[at] !== exchanged[next])
        assert.equal(parseKey(exchanged.join('')), undefined)
      }),
    )
  })

  it('arbitrary text is no key, and does no harm', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 200 }),
          fc.string().map((text) => `gw_live_${text}`),
        ),
        (text) => {
          assert.equal(parseKey(text), undefined)
        },
      ),
    )
    for (const text of ['', 'gw_live__', 'gw_prod_000000000000_'.padEnd(59, '0'), 'x'.repeat(1_000_000)])
      assert.equal(parseKey(text), undefined)
  })
})
