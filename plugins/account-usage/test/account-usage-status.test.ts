import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FIVE_HOURS, tokensBetween, WEEK, windowStatus } from '../src/rules/window.ts'
import { bucket, HOUR_MS, hour, NOW, start, statusOf } from './support.ts'

const reading = (offset: number, more: object) => ({ account: 'max-1', source: 'statusline', at: hour(offset), ...more })

test('an account of which only tokens are known has unknown percentages, and is advised to be read', async () => {
  await using gateway = await start()
  await gateway.call('account_usage_record', { buckets: [bucket(-1, 100), bucket(-20, 50)] })
  const status = await statusOf(gateway)
  assert.deepEqual([status.fiveHour.usedPct, status.fiveHour.source, status.fit, status.headroom], [null, 'unknown', 'unknown', null])
  assert.deepEqual([status.fiveHour.tokens.output, status.weekly.tokens.output], [100, 150])
  assert.deepEqual(status.flags, ['no_reading'])
  assert.match(status.recommendations.join(), /record a reading/)
})

test('a percentage that was read is real until something is used, then anchored, and an estimate once the window is over', async () => {
  await using gateway = await start()
  const readings = [reading(0, { fiveHourPct: 20, fiveHourResetsAt: hour(3), sevenDayPct: 10, sevenDayResetsAt: hour(72) })]
  await gateway.call('account_usage_record', { buckets: [bucket(-2, 1_000)], readings })
  const first = await statusOf(gateway)
  assert.deepEqual([first.fiveHour.usedPct, first.fiveHour.source, first.fiveHour.resetsAt], [20, 'real', hour(3)])
  assert.deepEqual([first.fiveHour.headroomPct, first.weekly.headroomPct, first.headroom, first.fit], [40, 57, 40, 'good'])

  gateway.clock.set(hour(2))
  await gateway.call('account_usage_record', { buckets: [bucket(0, 500)] })
  const second = await statusOf(gateway)
  assert.deepEqual([second.fiveHour.usedPct, second.fiveHour.source, second.fiveHour.readAt], [30, 'anchored', hour(0)])
  assert.deepEqual([second.weekly.usedPct, second.weekly.source], [15, 'anchored'])

  gateway.clock.set(hour(6))
  await gateway.call('account_usage_record', { buckets: [bucket(4, 250)] })
  const third = await statusOf(gateway)
  assert.deepEqual([third.fiveHour.usedPct, third.fiveHour.source, third.fiveHour.resetsAt], [5, 'estimate', hour(9)])
  assert.equal(third.weekly.source, 'anchored')

  gateway.clock.set(hour(80))
  const last = await statusOf(gateway)
  assert.deepEqual([last.weekly.usedPct, last.weekly.source, last.weekly.resetsAt], [0, 'estimate', hour(72 + 168)])
})

test('all tokens of the running hour count, and those of an hour that is over count in the part that a window has of it', async () => {
  await using gateway = await start()
  gateway.clock.set(hour(0.5))
  await gateway.call('account_usage_record', { buckets: [bucket(0, 1_000), bucket(-5, 100)] })
  // The 5-hour window began at 07:30: half of the 100 tokens of the hour from 07:00 on.
  const first = await statusOf(gateway)
  assert.deepEqual([first.fiveHour.tokens.output, first.weekly.tokens.output], [1_050, 1_100])
  // The clock of a host may be ahead by up to an hour.
  await gateway.call('account_usage_record', { buckets: [bucket(1, 7)] })
  assert.equal((await statusOf(gateway)).fiveHour.tokens.output, 1_057)
  gateway.clock.set(hour(1.25))
  assert.equal((await statusOf(gateway)).fiveHour.tokens.output, 1_007)
})

test('a reading within the running hour divides its tokens by the time that has passed of it', async () => {
  await using gateway = await start()
  gateway.clock.set(hour(0.5))
  const readings = [reading(0.25, { fiveHourPct: 20, fiveHourResetsAt: hour(3) })]
  await gateway.call('account_usage_record', { buckets: [bucket(-2, 1_000), bucket(0, 600)], readings })
  // 300 of the 600 tokens were used before the reading: 1,300 tokens are 20 %, and the other 300 are 4.62 %.
  const { fiveHour } = await statusOf(gateway)
  assert.deepEqual([fiveHour.usedPct, fiveHour.source, fiveHour.tokens.output], [24.62, 'anchored', 1_600])
  await gateway.call('account_usage_record', { readings: [reading(0.5, { fiveHourPct: 25, fiveHourResetsAt: hour(3) })] })
  const now = await statusOf(gateway)
  assert.deepEqual([now.fiveHour.usedPct, now.fiveHour.source], [25, 'real'])
})

test('below its reserve a window is not fit for new work, and the reserves are the caller’s', async () => {
  await using gateway = await start()
  const readings = [reading(0, { fiveHourPct: 65, fiveHourResetsAt: hour(1), sevenDayPct: 30, sevenDayResetsAt: hour(72) })]
  await gateway.call('account_usage_record', { readings })
  const status = await statusOf(gateway)
  assert.deepEqual([status.fit, status.headroom, status.flags], ['reserve', 0, ['five_hour_reserve']])
  assert.match(status.recommendations[0], /5-hour window has only its reserve left/)
  assert.deepEqual((await statusOf(gateway, { reserveFiveHour: 0.1 })).fit, 'good')
  assert.deepEqual((await statusOf(gateway, { reserveFiveHour: 0.1, reserveWeekly: 0.8 })).flags, ['weekly_reserve'])
})

test('at a pace that uses a window up before it resets, an account is hot', async () => {
  await using gateway = await start()
  const readings = [reading(0, { fiveHourPct: 50, fiveHourResetsAt: hour(3), sevenDayPct: 10, sevenDayResetsAt: hour(48) })]
  await gateway.call('account_usage_record', { readings })
  const { hot, fiveHour, weekly, fit, recommendations } = await statusOf(gateway)
  assert.deepEqual([hot, fiveHour.projectedPct, weekly.projectedPct, fit], [true, 125, 14, 'good'])
  assert.match(recommendations.join(), /slow down/)
})

test('assets count while they are active and not expired, and lead to advice', async () => {
  await using gateway = await start()
  const account = 'max-1'
  await gateway.call('account_usage_record', {
    readings: [reading(-10, { fiveHourPct: 1, sevenDayPct: 100, sevenDayResetsAt: hour(48), opusPct: 90 })],
    assets: [
      { account, kind: 'full_reset', expires: hour(10) },
      { account, kind: 'cloud_credit', usd: 25, expires: hour(-1) },
      { account, kind: 'spend_flag' },
    ],
  })
  const { assets, flags, fit, recommendations } = await statusOf(gateway)
  assert.deepEqual(assets.map(({ kind }: { kind: string }) => kind).sort(), ['full_reset', 'spend_flag'])
  assert.deepEqual(flags, ['stale_reading', 'weekly_reserve', 'opus_nearly_used', 'spend_flag'])
  assert.equal(fit, 'exhausted')
  for (const says of [/paid for by the token/, /full reset is in hand/, /expires at .* use it before/, /another model/, /hours old/]) {
    assert.match(recommendations.join('\n'), says)
  }
})

const now = Date.parse(NOW)
const used = fc
  .uniqueArray(fc.tuple(fc.integer({ min: -400, max: 0 }), fc.nat(10_000)), { selector: ([at]) => at, maxLength: 40 })
  .map((hours) =>
    hours.sort(([a], [b]) => a - b).map(([at, output]) => ({ hour: hour(at), input: 0, output, cacheCreate: 0, cacheRead: 0 })),
  )
const readings = fc
  .array(fc.tuple(fc.integer({ min: -400, max: 0 }), fc.nat(100), fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 168 })), {
    maxLength: 5,
  })
  .map((all) =>
    all
      .sort(([a], [b]) => b - a)
      .map(([at, pct, five, week], i) => ({
        readingId: `${i}`,
        account: 'a',
        host: '',
        source: 'agy' as const,
        at: hour(at),
        fiveHourPct: pct,
        fiveHourResetsAt: hour(at + five),
        sevenDayPct: pct,
        sevenDayResetsAt: hour(at + week),
      })),
  )

test('the tokens of two stretches that touch are those of both together', () => {
  const at = fc.integer({ min: -400 * 6, max: 0 })
  fc.assert(
    fc.property(used, fc.tuple(at, at, at), (hours, times) => {
      const [a, b, c] = times.sort((one, other) => one - other).map((tenMinutes) => now + (tenMinutes * HOUR_MS) / 6) as [
        number,
        number,
        number,
      ]
      const whole = tokensBetween(hours, a, c).output
      const parts = tokensBetween(hours, a, b).output + tokensBetween(hours, b, c).output
      assert.ok(Math.abs(whole - parts) <= 1)
    }),
  )
})

test('a window contains now, is as long as it is, and its percentage is known exactly when its source is', () => {
  fc.assert(
    fc.property(used, readings, (hours, read) => {
      for (const window of [FIVE_HOURS, WEEK]) {
        const status = windowStatus(window, read, hours, 0.4, now)
        assert.equal(status.usedPct === null, status.source === 'unknown')
        assert.equal(status.headroomPct === null, status.source === 'unknown')
        if (status.usedPct !== null) assert.ok(status.usedPct >= 0 && Number.isFinite(status.usedPct))
        if (status.resetsAt !== undefined) {
          const left = Date.parse(status.resetsAt) - now
          assert.ok(left > 0 && left <= window.lengthMs)
        }
        if (status.source === 'real') assert.equal(status.usedPct, read[0]?.[window.pct])
      }
    }),
  )
})
