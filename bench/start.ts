import { setTimeout as sleep } from 'node:timers/promises'
import { median, medians } from './median.ts'
import { startGateway, startWith } from './processes.ts'
import type { Plan } from './run.ts'

export interface StartFigures {
  readonly startMs: number
  readonly idleMiB: number
  /** Milliseconds of CPU that a start takes longer with the dashboard and the pages of all families than without. */
  readonly pagesMs: number
}

/** Two starts differ by more than the pages cost: it takes many to tell. */
const PAIRS = 31

/** From spawning the process to the first healthy answer, and what it holds resident when it has nothing to do. */
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

/** Both in turn, on folders of their own, each pair beside the same neighbours. */
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
    // The first start of a folder makes it.
    if (pair > 0) differences.push(difference)
  }
  return median(differences)
}
