import { setTimeout as sleep } from 'node:timers/promises'
import { medians } from './median.ts'
import { startGateway } from './processes.ts'
import type { Plan } from './run.ts'

export interface StartFigures {
  readonly startMs: number
  readonly idleMiB: number
}

/** From spawning the process to the first healthy answer, and what it holds resident when it has nothing to do. */
export async function measureStart({ rounds, folder }: Plan): Promise<StartFigures> {
  const dataDir = folder()
  const starts: StartFigures[] = []
  for (let round = 0; round < Math.max(rounds, 5); round += 1) {
    const gateway = await startGateway(dataDir)
    await sleep(1000)
    starts.push({ startMs: gateway.startMs, idleMiB: gateway.memory() })
    await gateway.stop()
  }
  return medians(starts)
}
