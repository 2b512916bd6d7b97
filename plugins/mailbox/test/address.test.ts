import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAddress, parseAddresses } from '../src/rules/address.ts'

test('a host, host/repo, repo or role is an address, trimmed and in lower case', () => {
  for (const [given, address] of [
    ['build-7', 'build-7'],
    ['Build-7/Web', 'build-7/web'],
    ['  operator\n', 'operator'],
    ['host.example:8080', 'host.example:8080'],
    ['ÉCOLE', 'école'],
    ['a'.repeat(200), 'a'.repeat(200)],
  ] as const) {
    assert.equal(parseAddress('to', given), address)
  }
})

test('whitespace, commas, control characters, empty segments and more than 200 characters are refused, naming the field', () => {
  for (const given of ['', '   ', 'a b', 'a\tb', 'a,b', 'a\u0000b', '/', '/a', 'a/', 'a//b', 'a/ /b', 'a'.repeat(201)]) {
    assert.throws(
      () => parseAddress('from', given),
      (error: { code: string; details: { field: string; message: string } }) => {
        assert.equal(error.code, 'BAD_REQUEST')
        assert.equal(error.details.field, 'from')
        assert.match(error.details.message, /`from` must be an address: host, host\/repo, repo or role/)
        assert.ok(error.details.message.length < 300, 'a long address is not repeated')
        return true
      },
    )
  }
})

test('any text is an address in its own normal form, or refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', 'B', '/', ' ', ',', 'é', '\n') })), (text) => {
      let address: string
      try {
        address = parseAddress('to', text)
      } catch (error) {
        return (error as { code?: string }).code === 'BAD_REQUEST'
      }
      return parseAddress('to', address) === address && address.split('/').every((segment) => segment !== '') && !/[\s,]/.test(address)
    }),
  )
})

test('a set is an array or a list with commas, each address once', () => {
  assert.deepEqual(parseAddresses('to', 'Ada'), ['ada'])
  assert.deepEqual(parseAddresses('to', 'ada, Web,ADA'), ['ada', 'web'])
  assert.deepEqual(parseAddresses('to', ['ada', 'Web', 'ADA', 'web,host/web']), ['ada', 'web', 'host/web'])
  assert.throws(() => parseAddresses('to', ['ada', 'a b']), refusedAt('to'))
  assert.throws(() => parseAddresses('to', 'ada,,web'), refusedAt('to'))
})

test('a set has at most 50 addresses', () => {
  const many = Array.from({ length: 51 }, (_, i) => `host-${i}`)
  assert.equal(parseAddresses('to', many.slice(1)).length, 50)
  assert.throws(() => parseAddresses('to', many), refusedAt('to'))
  assert.throws(() => parseAddresses('to', many.join()), refusedAt('to'))
})

function refusedAt(field: string) {
  return (error: { code: string; details: { field: string } }) => error.code === 'BAD_REQUEST' && error.details.field === field
}
