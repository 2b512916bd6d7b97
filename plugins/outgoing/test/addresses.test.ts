import assert from 'node:assert/strict'
import type { LookupFunction } from 'node:net'
import { describe, test } from 'node:test'
import { guardedLookup } from '../src/operations/lookup.ts'
import { isLoopbackAddress, isPublicAddress } from '../src/rules/addresses.ts'
import { ClosedAddress } from '../src/rules/failure.ts'

const PUBLIC = ['1.1.1.1', '8.8.8.8', '93.184.215.14', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.1']
const PUBLIC_6 = ['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888', '2001:200::1', '2003::1', '2400:cb00::1']

/** Answers of a name server that would lead a call inside. */
const HOSTILE_ANSWERS: readonly (readonly string[])[] = [
  '127.0.0.1',
  '127.1.2.3',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.1.1.1',
  '240.0.0.1',
  '255.255.255.255',
  '0.0.0.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::1',
  '2001:2::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:a00:1::1',
  '2002:a9fe:a9fe::1',
  '3fff::1',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1%eth0',
  'fec0::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'ff02::1',
  'ff05::2',
  '5f00::1',
  '4000::1',
  '',
  'localhost',
  'example.com',
  '127.1',
  '0x7f.0.0.1',
  '2130706433',
  '1.2.3',
  '01.2.3.4',
  '1.2.3.4.',
  ' 1.2.3.4',
  '1.2.3.4/8',
  '[::1]',
].map((address) => [address])

const MIXED = [
  ['8.8.8.8', '127.0.0.1'],
  ['127.0.0.1', '8.8.8.8'],
  ['8.8.8.8', '::1'],
  ['2606:4700:4700::1111', '10.0.0.1'],
  ['1.1.1.1', '8.8.8.8', '169.254.169.254'],
  ['1.1.1.1', '::ffff:1.1.1.1'],
]

const looked = (answer: readonly string[], options = { all: true }): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const find: LookupFunction = guardedLookup(async () => answer, isPublicAddress)
    find('tools.example.com', options, (error, found) => (error ? reject(error) : resolve(found)))
  })

describe('an answer of the name servers', () => {
  test(`that leads inside is refused: ${HOSTILE_ANSWERS.length + MIXED.length} of them, also one among others`, async () => {
    for (const answer of [...HOSTILE_ANSWERS, ...MIXED]) {
      await assert.rejects(looked(answer), ClosedAddress, answer.join())
      await assert.rejects(looked(answer, { all: false }), ClosedAddress, answer.join())
    }
    await assert.rejects(looked([]), /has no address/)
  })

  test('of the open internet is handed on as it was checked', async () => {
    for (const answer of [PUBLIC, PUBLIC_6, [...PUBLIC_6, ...PUBLIC]]) {
      const found = (await looked(answer)) as { address: string; family: number }[]
      assert.deepEqual(
        found.map(({ address }) => address),
        answer,
      )
      assert.deepEqual(
        found.map(({ family }) => family),
        answer.map((address) => (address.includes(':') ? 6 : 4)),
      )
    }
    assert.equal(await looked(['1.1.1.1', '8.8.8.8'], { all: false }), '1.1.1.1')
  })
})

test('loopback is 127.0.0.0/8 and ::1, and nothing that only maps to it', () => {
  assert.deepEqual(
    ['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::', '128.0.0.1', 'localhost'].map(isLoopbackAddress),
    [true, true, true, false, false, false, false, false],
  )
})
