import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bucket, hour, start, statusOf, type TestGateway } from './support.ts'

const record = (gateway: TestGateway, sent: object) => gateway.call('account_usage_record', sent)
const kept = async (gateway: TestGateway, id: string) =>
  ((await gateway.documents())[`account-usage.${id}`] ?? []) as Record<string, unknown>[]

test('buckets that are sent again change nothing; a bucket with other tokens replaces the one before', async () => {
  await using gateway = await start()
  const buckets = [bucket(-1, 10), bucket(-1, 20, { model: 'n' }), bucket(-2, 5)]
  assert.deepEqual((await record(gateway, { buckets })).buckets, { received: 3, added: 3, changed: 0, unchanged: 0 })
  const before = await gateway.documents()
  assert.deepEqual((await record(gateway, { buckets })).buckets, { received: 3, added: 0, changed: 0, unchanged: 3 })
  assert.deepEqual(await gateway.documents(), before)
  assert.deepEqual((await record(gateway, { buckets: [bucket(-1, 12)] })).buckets, { received: 1, added: 0, changed: 1, unchanged: 0 })
  assert.equal((await statusOf(gateway)).weekly.tokens.output, 12 + 20 + 5)
})

test('readings and assets that are sent again are there once', async () => {
  await using gateway = await start()
  const readings = [{ account: 'max-1', source: 'statusline', at: hour(-1), fiveHourPct: 10 }]
  const assets = [{ account: 'max-1', kind: 'cloud_credit', usd: 50, expires: hour(48), note: 'gift' }]
  for (let i = 0; i < 2; i++) await record(gateway, { readings, assets })
  assert.equal((await kept(gateway, 'readings')).length, 1)
  assert.deepEqual((await statusOf(gateway)).assets, [{ kind: 'cloud_credit', usd: 50, expires: hour(48), note: 'gift' }])
  await record(gateway, { assets: [{ account: 'max-1', kind: 'cloud_credit', expires: hour(48), active: false }] })
  assert.deepEqual((await statusOf(gateway)).assets, [])
})

test('5,000 buckets with 200 readings and 50 assets are taken in one call, on every transport', async () => {
  await using gateway = await start()
  const buckets = Array.from({ length: 5_000 }, (_, i) => ({
    ...bucket(-(i % 160), i, { account: `account-${i % 5}`, host: `host-${i % 7}`, model: `model-${i}` }),
    input: i,
    cacheCreate: i,
    cacheRead: i,
  }))
  const readings = Array.from({ length: 200 }, (_, i) => ({
    account: 'account-0',
    host: `host-${i}`,
    source: 'agy',
    at: hour(-1),
    fiveHourPct: 1,
    fiveHourResetsAt: hour(1),
    sevenDayPct: 1,
    sevenDayResetsAt: hour(1),
    fablePct: 1,
    opusPct: 1,
  }))
  const assets = Array.from({ length: 50 }, (_, i) => ({
    account: 'account-0',
    kind: 'cloud_credit',
    usd: 1,
    expires: hour(i),
    active: true,
    note: 'n',
  }))
  const sent = { buckets, readings, assets }
  const { status, json } = await gateway.inject({ method: 'POST', url: '/api/tools/account_usage_record', body: sent })
  assert.deepEqual([status, json().buckets], [200, { received: 5_000, added: 5_000, changed: 0, unchanged: 0 }])
  const params = { name: 'account_usage_record', arguments: sent }
  const again = await gateway.inject({ method: 'POST', url: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
  assert.equal(again.json().result.structuredContent.buckets.unchanged, 5_000)
})

test('names that no store keeps are refused by the place where they stand', async () => {
  await using gateway = await start()
  const cases: [object, string][] = [
    [{ buckets: [{ ...bucket(-1, 1), account: 'a\0' }] }, 'buckets[0].account'],
    [{ buckets: [{ ...bucket(-1, 1), model: 'm\0' }] }, 'buckets[0].model'],
    [{ buckets: [{ ...bucket(-1, 1), host: 'h\0' }] }, 'buckets[0].host'],
    [{ assets: [{ account: '\0', kind: 'full_reset' }] }, 'assets[0].account'],
  ]
  for (const [sent, field] of cases)
    await assert.rejects(
      record(gateway, sent),
      (error: { code: string; details: { field: string } }) => error.code === 'BAD_REQUEST' && error.details.field === field,
      field,
    )
})

test('more than 5,000 buckets, 200 readings or 50 assets are refused by name, and nothing is recorded', async () => {
  await using gateway = await start()
  const many = (length: number, one: object) => Array.from({ length }, () => one)
  const cases = {
    buckets: many(5_001, bucket(-1, 1)),
    readings: many(201, { account: 'a', source: 'agy', at: hour(-1), fiveHourPct: 1 }),
    assets: many(51, { account: 'a', kind: 'full_reset' }),
  }
  for (const [name, list] of Object.entries(cases)) {
    await assert.rejects(
      record(gateway, { [name]: list }),
      (error: { code: string; message: string }) => error.code === 'BAD_REQUEST' && error.message.includes(name),
    )
  }
  assert.deepEqual(await kept(gateway, 'accounts'), [])
})

test('a bad item is refused with its place, and what was sent with it is not recorded', async () => {
  await using gateway = await start()
  const reading = { account: 'max-1', source: 'statusline', at: hour(-1), fiveHourPct: 10 }
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ buckets: [bucket(-1, 1), bucket(-1, 1, { hour: 'soon' })] }, /buckets\[1\]\.hour/],
    [{ buckets: [bucket(3, 1)] }, /buckets\[0\]\.hour.*future/],
    [{ readings: [reading, { ...reading, at: 'x' }] }, /readings\[1\]\.at/],
    [{ readings: [{ ...reading, fiveHourPct: undefined }] }, /neither/],
    [{ readings: [{ ...reading, fiveHourResetsAt: hour(9) }] }, /within 5 hours/],
    [{ buckets: [bucket(-1, 1)], assets: [{ account: 'a', kind: 'full_reset', expires: 'x' }] }, /assets\[0\]\.expires/],
    [{ buckets: [bucket(-1, -1)] }, /output/],
  ]
  for (const [sent, says] of cases) await assert.rejects(record(gateway, sent), says)
  assert.deepEqual(await kept(gateway, 'buckets'), [])
})

test('a tenant has two hundred accounts at most, and accounts of another tenant are not seen', async () => {
  await using gateway = await start()
  const of = (from: number, to: number) => ({
    buckets: Array.from({ length: to - from }, (_, i) => bucket(-1, 1, { account: `a${from + i}` })),
  })
  await record(gateway, of(0, 200))
  await assert.rejects(record(gateway, of(199, 201)), { code: 'TOO_MANY_ACCOUNTS' })
  assert.equal((await gateway.call('account_usage_status')).accounts.length, 200)
  const acme = { as: { tenantId: 'acme', kind: 'user', role: 'member' } } as const
  assert.deepEqual((await gateway.call('account_usage_status', {}, acme)).accounts, [])
  await assert.rejects(gateway.call('account_usage_status', { account: 'a1' }, acme), { code: 'NOT_FOUND' })
})

test('whatever is sent in whatever parts, an account’s hours are the sums of its buckets', async () => {
  await using gateway = await start()
  const one = fc.record({
    account: fc.constantFrom('a', 'b'),
    model: fc.constantFrom('m', 'n'),
    at: fc.integer({ min: -3, max: 0 }),
    output: fc.nat(1_000),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 12 }), async (sent) => {
      await record(gateway, { buckets: sent.map(({ at, output, ...more }) => bucket(at, output, more)) })
      const expected = new Map<string, number>()
      for (const { account, hour, output } of await kept(gateway, 'buckets')) {
        const id = `${hour} ${account}`
        expected.set(id, (expected.get(id) ?? 0) + (output as number))
      }
      const hours = await kept(gateway, 'hours')
      assert.deepEqual(new Map(hours.map(({ hourId, output }) => [hourId, output])), expected)
    }),
    { numRuns: 25 },
  )
})
