import { setTimeout as delay } from 'node:timers/promises'
import type { RunnerConfig } from '../schema.ts'
import { kill } from './processes.ts'
import { listRunners, type RunnerEntry } from './runners.ts'

const LOOK_MS = 200

/** Asks every runner of this machine to end after its runs, and waits until they have ended. */
export async function drainRunners({ stateDir }: RunnerConfig): Promise<readonly RunnerEntry[]> {
  const runners = await listRunners(stateDir)
  for (const { pid } of runners) kill(pid, 'SIGTERM')
  while ((await listRunners(stateDir)).some(({ mark }) => runners.some((one) => one.mark === mark))) await delay(LOOK_MS)
  return runners
}
