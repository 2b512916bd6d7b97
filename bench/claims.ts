import type { Figures, Step } from './load.ts'
import { medians } from './median.ts'
import { load, run, startGateway } from './processes.ts'
import type { Plan } from './run.ts'

export const FEW = 1000
const REPO = 'queue'
/** Claims between two refills; below `FEW`, so that the queue never runs dry. */
const BATCH = 800

export interface ClaimFigures {
  readonly pending: number
  readonly connections: number
  readonly claims: Figures
}

/**
 * Durable claims: each is answered after it would survive a power cut. The queue is refilled, outside the measurement,
 * after each batch, so that its depth stays what the row says.
 */
export async function measureClaims({ seconds, rounds, many, folder }: Plan): Promise<ClaimFigures[]> {
  const depths = [FEW, many]
  const stores = new Map<number, string>()
  for (const pending of depths) {
    const dataDir = folder()
    await run('./seed.ts', [dataDir, REPO, String(pending)])
    stores.set(pending, dataDir)
  }

  const measured = new Map<string, Figures[]>()
  for (let round = 0; round < rounds; round += 1) {
    for (const pending of depths) {
      const gateway = await startGateway(stores.get(pending) ?? '')
      try {
        for (const connections of [1, 64]) {
          const { claims } = await load({ port: gateway.port, connections, steps: steps(connections, seconds) })
          const key = `${pending} ${connections}`
          if (claims !== undefined) measured.set(key, [...(measured.get(key) ?? []), claims])
        }
      } finally {
        await gateway.stop()
      }
    }
  }
  return depths.flatMap((pending) =>
    [1, 64].map((connections) => ({ pending, connections, claims: medians(measured.get(`${pending} ${connections}`) ?? []) })),
  )
}

/** Claim, refill, claim, refill …: the first batch warms up. One connection claims far slower, so its batches are fewer. */
function steps(connections: number, seconds: number): Step[] {
  const batches = 1 + (connections === 1 ? 1 : 2) * Math.max(1, Math.round(seconds))
  const claim: Step = {
    path: '/api/tools/tasks_claim',
    body: { repo: REPO, claimedBy: 'bench' },
    expect: '"claimedBy":"bench"',
    count: BATCH,
  }
  const refill: Step = {
    path: '/api/tools/tasks_bulk',
    body: {
      operations: Array.from({ length: 100 }, (_, index) => ({ action: 'create', repo: REPO, title: `Refill ${index}`, priority: 'P2' })),
    },
    expect: '"succeeded":100',
    count: BATCH / 100,
  }
  return Array.from({ length: batches }, (_, batch) => [batch === 0 ? claim : { ...claim, name: 'claims' }, refill]).flat()
}
