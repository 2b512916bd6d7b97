import type { Figures, Step } from './load.ts'
import { medians, type Spread, spread } from './median.ts'
import type { Plan } from './plan.ts'
import { load, run, startGateway, startServer } from './processes.ts'

export const FEW = 1000
export const QUEUE = 'queue'
/** Claims between two refills; below `FEW`, so that the queue never runs dry. */
const BATCH = 800
/** Batches before the first that counts: about as many calls as the compared routes have had by then. */
const WARM_UP = 16
/** Many short turns rather than a few long ones: a shared machine’s speed changes by the second. */
const TURNS = 4
/** Warm-up of the bare route in seconds. */
const BARE_WARM_UP = 0.25

export interface ClaimFigures {
  readonly claims: readonly {
    readonly pending: number
    readonly connections: number
    readonly claims: Figures
    /** Its rate, relative to a bare route right after it; absent with one connection, as the route has all. */
    readonly ofBare?: Spread
  }[]
  readonly bare: Figures
}

/**
 * Durable claims: each is answered after it would survive a power cut. The queue is refilled, outside the measurement,
 * after each batch, so that its depth stays what the row says.
 */
export async function measureClaims({ seconds, rounds, many, folder }: Plan): Promise<ClaimFigures> {
  const bare = await startServer('bare')
  const bareFigures: Figures[] = []
  const rows = []
  try {
    for (const pending of [FEW, many]) {
      const dataDir = folder()
      await run('./seed.ts', [dataDir, QUEUE, String(pending)])
      const gateway = await startGateway(dataDir)
      await load({ port: gateway.port, connections: 64, steps: claimSteps(WARM_UP) })
      for (const connections of [1, 64]) rows.push({ pending, connections, gateway, figures: [] as Figures[], ratios: [] as number[] })
    }
    for (let turn = 0; turn < rounds * TURNS; turn += 1) {
      for (const { connections, gateway, figures, ratios } of rows) {
        // One connection claims far slower, so its batches are fewer.
        const batches = connections === 1 ? 1 : Math.max(1, Math.round(seconds))
        const { claims } = await load({ port: gateway.port, connections, steps: claimSteps(batches, 'claims') })
        if (claims !== undefined) figures.push(claims)
        if (connections === 1) continue
        const { calls } = await load({ port: bare.port, connections, steps: bareSteps(seconds / TURNS) })
        if (claims === undefined || calls === undefined) continue
        bareFigures.push(calls)
        ratios.push(claims.perSecond / calls.perSecond)
      }
    }
  } finally {
    await Promise.all([bare, ...new Set(rows.map(({ gateway }) => gateway))].map((server) => server.stop()))
  }
  const claims = rows.map(({ pending, connections, figures, ratios }) => ({
    pending,
    connections,
    claims: medians(figures),
    ...(ratios.length > 0 && { ofBare: spread(ratios) }),
  }))
  return { claims, bare: medians(bareFigures) }
}

/** Claim, refill, claim, refill …; without a name they warm up. */
export function claimSteps(count: number, name?: string, keys = false): Step[] {
  const claim: Step = {
    path: '/api/tools/tasks_claim',
    body: { repo: QUEUE, claimedBy: 'bench' },
    expect: '"claimedBy":"bench"',
    count: BATCH,
    keys,
    ...(name !== undefined && { name }),
  }
  const refill: Step = {
    path: '/api/tools/tasks_bulk',
    body: {
      operations: Array.from({ length: 100 }, (_, index) => ({ action: 'create', repo: QUEUE, title: `Refill ${index}`, priority: 'P2' })),
    },
    expect: '"succeeded":100',
    count: BATCH / 100,
  }
  return Array.from({ length: count }, () => [claim, refill]).flat()
}

function bareSteps(seconds: number): Step[] {
  const request = { path: '/', body: { repo: QUEUE, claimedBy: 'bench' }, expect: '"task":null' }
  return [
    { ...request, seconds: BARE_WARM_UP },
    { ...request, seconds, name: 'calls' },
  ]
}
