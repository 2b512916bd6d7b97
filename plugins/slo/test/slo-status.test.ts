import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './support.ts'

const routes = ({ breaching }: { breaching: readonly { route: string }[] }) => breaching.map(({ route }) => route)
const status = async (it: Awaited<ReturnType<typeof start>>) => it.gateway.call('slo_status')
/** Limits that no call of a test can meet, and that each meets. */
const NEVER = 0.000_001
const ALWAYS = 3_600_000

test('the settings are told: 500 ms, 5 percent, no overrides, 20 samples, 15 minutes, with alerts', async () => {
  await using it = await start()
  assert.deepEqual(await status(it), {
    config: {
      p95Ms: 500,
      errorRatePct: 5,
      routeOverrides: {},
      minSamples: 20,
      cooldownMinutes: 15,
      windowMinutes: 15,
      alertsEnabled: true,
    },
    breaching: [],
  })
})

test('the environment sets each of them', async () => {
  await using it = await start(
    {},
    {
      SLO_P95_MS: '50',
      SLO_ERROR_RATE_PCT: '1.5',
      SLO_ROUTE_OVERRIDES: '{"sample_one":{"p95Ms":9}}',
      SLO_MIN_SAMPLES: '3',
      SLO_COOLDOWN_MINUTES: '7',
      SLO_ALERTS_DISABLED: '1',
    },
  )
  const { config } = await status(it)
  assert.deepEqual(config, {
    p95Ms: 50,
    errorRatePct: 1.5,
    routeOverrides: { sample_one: { p95Ms: 9 } },
    minSamples: 3,
    cooldownMinutes: 7,
    windowMinutes: 15,
    alertsEnabled: false,
  })
})

test('an override of a name that no tool or route can have stops the start; one of a tool that a tenant may register is logged', async () => {
  const named = (name: string) => start({ routeOverrides: { sample_one: { p95Ms: 9 }, [name]: { p95Ms: 9 } } })
  await assert.rejects(named('No Tool'), {
    message: /plugin 'slo' failed in config: `routeOverrides` must name tools or routes; got "No Tool"/,
  })
  await (await named('switched-off.route'))[Symbol.asyncDispose]()
  // The second may be a typing error, or a tool of a tenant.
  for (const name of ['own_tool', 'sample_on']) {
    await using it = await named(name)
    assert.deepEqual(
      it.gateway.logs.flatMap(({ unknown }) => unknown ?? []),
      [name],
    )
  }
})

test('a route breaks its p95 from so many samples on, and another one’s override is not its own', async () => {
  await using it = await start({ p95Ms: ALWAYS, minSamples: 4, routeOverrides: { sample_one: { p95Ms: NEVER } } })
  await it.calls('sample_two', 10)
  await it.calls('sample_one', 3)
  assert.deepEqual(routes(await status(it)), [])
  await it.calls('sample_one', 1)
  const { breaching } = await status(it)
  const [{ p95, ...breach }] = breaching
  assert.ok(p95 >= 0)
  assert.deepEqual(breach, {
    route: 'sample_one',
    samples: 4,
    errorRatePct: 0,
    objective: { p95Ms: NEVER, errorRatePct: 5 },
    broken: ['p95'],
  })
})

test('faults of the gateway count as errors, what the caller did wrong does not', async () => {
  await using it = await start({ p95Ms: ALWAYS, errorRatePct: 30, minSamples: 1 })
  await it.calls('sample_one', 10, { noSuchArgument: true })
  assert.deepEqual(routes(await status(it)), [])
  await it.calls('sample_one', 5, { fails: true })
  const [breach] = (await status(it)).breaching
  assert.deepEqual([breach.errorRatePct, breach.broken], [33.33, ['errorRate']])
})

test('what is longer ago than the window is forgotten', async () => {
  await using it = await start({ p95Ms: ALWAYS, minSamples: 1 })
  await it.calls('sample_one', 5, { fails: true })
  it.gateway.clock.advance(9 * 60)
  assert.deepEqual(routes(await status(it)), ['sample_one'])
  it.gateway.clock.advance(7 * 60)
  assert.deepEqual(routes(await status(it)), [])
})

test('a breach alerts once, not again within the cooldown, and the end of it is told', async () => {
  await using it = await start({ p95Ms: ALWAYS, minSamples: 5, windowMinutes: 1, cooldownMinutes: 30 })
  await it.calls('sample_one', 5, { fails: true })
  assert.deepEqual(await it.looked(), ['sample_one breaks its objectives'])
  assert.match(it.alerts[0]?.message ?? '', /Of 5 calls, p95 .* ms \(at most 3600000\), errors 100 % \(at most 5\)/)
  assert.equal((await it.looked()).length, 1)
  it.gateway.clock.advance(120)
  assert.deepEqual((await it.looked()).slice(1), ['sample_one meets its objectives again'])
  await it.calls('sample_one', 5, { fails: true })
  assert.equal((await it.looked()).length, 2, 'the cooldown')
  it.gateway.clock.advance(30 * 60)
  await it.calls('sample_one', 5, { fails: true })
  assert.equal((await it.looked()).length, 3)
})

test('with SLO_ALERTS_DISABLED=1 a breach is shown, and nobody is alerted', async () => {
  await using it = await start({ p95Ms: ALWAYS, minSamples: 1 }, { SLO_ALERTS_DISABLED: '1' })
  await it.calls('sample_one', 5, { fails: true })
  assert.deepEqual(await it.looked(), [])
  assert.deepEqual(routes(await status(it)), ['sample_one'])
})
