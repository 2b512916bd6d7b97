import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf, isSameText, matches, newSecret } from '@gateway/sdk/secrets'

test('a secret has 256 random bits in base64url, and each is another one', () => {
  const made = Array.from({ length: 100 }, newSecret)
  for (const secret of made) assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(new Set(made).size, 100)
})

test('the hash of a secret is its SHA-256 in base64url', () => {
  assert.equal(hashOf('abc'), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
})

test('a secret matches its own hash alone, and no absent one', () => {
  const secret = newSecret()
  assert.ok(matches(secret, hashOf(secret)))
  for (const hash of [hashOf(`${secret} `), '', secret, undefined]) assert.ok(!matches(secret, hash))
})

test('texts are compared whole, by their bytes', () => {
  for (const text of ['', 'a', 'ä', '💡'.repeat(50)]) assert.ok(isSameText(text, text))
  for (const [one, other] of [
    ['a', 'b'],
    ['a', 'aa'],
    ['ä', 'a\u0308'],
    ['', 'a'],
  ] as const)
    assert.ok(!isSameText(one, other))
})
