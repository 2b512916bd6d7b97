import { claimSteps, FEW, QUEUE } from './claims.ts'
import type { Figures } from './load.ts'
import { medians, type Spread, spread } from './median.ts'
import type { Plan } from './plan.ts'
import { load, run, startGateway } from './processes.ts'

const CONNECTIONS = 64
const WARM_UP = 8
/** Pairs of turns in a round: a shared machine's speed changes by the second. */
const TURNS = 6

export interface KeyFigures {
  readonly without: Figures
  readonly with: Figures
  /** Rate with keys, relative to the rate without in the turn beside it. */
  readonly ratio: Spread
}

/** Measures claims with an idempotency key each, in turn with claims without; the order of a pair alternates. */
export async function measureKeys({ rounds, folder }: Pick<Plan, 'rounds' | 'folder'>): Promise<KeyFigures> {
  const dataDir = folder()
  await run('./seed.ts', [dataDir, QUEUE, String(FEW)])
  const gateway = await startGateway(dataDir)
  const claims = async (keys: boolean): Promise<Figures> => {
    const { claims } = await load({ port: gateway.port, connections: CONNECTIONS, steps: claimSteps(2, 'claims', keys) })
    if (claims === undefined) throw new Error('no claim was measured')
    return claims
  }
  try {
    for (const keys of [false, true])
      await load({ port: gateway.port, connections: CONNECTIONS, steps: claimSteps(WARM_UP, undefined, keys) })
    const figures = { with: [] as Figures[], without: [] as Figures[] }
    for (let turn = 0; turn < rounds * TURNS; turn += 1)
      for (const keys of turn % 2 === 0 ? [false, true] : [true, false]) figures[keys ? 'with' : 'without'].push(await claims(keys))
    const ratios = figures.with.map(({ perSecond }, n) => perSecond / (figures.without[n]?.perSecond ?? Number.NaN))
    return { without: medians(figures.without), with: medians(figures.with), ratio: spread(ratios) }
  } finally {
    await gateway.stop()
  }
}

export function keysMarkdown({ without, with: keyed, ratio }: KeyFigures): string {
  const row = (name: string, { perSecond, p50, p99 }: Figures): string =>
    `| ${name} | ${Math.round(perSecond)} | ${p50.toFixed(2)} | ${p99.toFixed(2)} |`
  return [
    `## Claims with idempotency keys, ${CONNECTIONS} connections`,
    '',
    '| claims | per second | p50 ms | p99 ms |',
    '| --- | --- | --- | --- |',
    row('without keys', without),
    row('with a key each', keyed),
    '',
    `With / without, turn by turn: ${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)} to ${ratio.most.toFixed(2)}).`,
  ].join('\n')
}
