import { setTimeout as sleep } from 'node:timers/promises'
import { median, medians } from './median.ts'
import type { Plan } from './plan.ts'
import { startGateway, startWith } from './processes.ts'

export interface StartFigures {
  readonly startMs: number
  readonly idleMiB: number
  /** Additional CPU milliseconds of a start with the dashboard and the pages of all families. */
  readonly pagesMs: number
}

/** Starts vary by more than the pages cost, and many pairs are needed. */
const PAIRS = 31

/** Measures the time from spawning the process to the first healthy answer, and its resident memory when idle. */
export async function measureStart({ rounds, folder }: Plan): Promise<StartFigures> {
  const dataDir = folder()
  const starts: Omit<StartFigures, 'pagesMs'>[] = []
  for (let round = 0; round < Math.max(rounds, 5); round += 1) {
    const gateway = await startGateway(dataDir)
    await sleep(1000)
    starts.push({ startMs: gateway.startMs, idleMiB: gateway.memory() })
    await gateway.stop()
  }
  return { ...medians(starts), pagesMs: await measurePages(folder) }
}

/** Both start in turn, on separate folders, so that each pair meets the same load. */
async function measurePages(folder: Plan['folder']): Promise<number> {
  const folders = { standard: folder(), pageless: folder() }
  const cpu = async (server: keyof typeof folders): Promise<number> => {
    const gateway = await startWith(server, folders[server])
    const ran = gateway.cpu()
    await gateway.stop()
    return ran
  }
  const differences: number[] = []
  for (let pair = 0; pair <= PAIRS; pair++) {
    const difference = (await cpu('standard')) - (await cpu('pageless'))
    // The first start of a folder creates it.
    if (pair > 0) differences.push(difference)
  }
  return median(differences)
}
