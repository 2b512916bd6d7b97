import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway, testClock } from '@gateway/testing'
import { median } from './median.ts'
import type { Plan } from './plan.ts'

export interface ScheduleFigures {
  readonly schedules: number
  /** Milliseconds of a tick that finds no schedule due. */
  readonly idleTickMs: number
  /** Milliseconds of a tick that fires this many. */
  readonly dueTickMs: number
  readonly due: number
  /** Runs after a stop of an hour, in which each of the schedules was due sixty times. */
  readonly caughtUp: number
}

const FEW = 100
const TICKS = 100
const DUE = 50
const TASK = JSON.stringify({ repo: 'bench', title: 'made by a schedule' })

/** Measures a tick with few and with many schedules, and the catch-up after an hour's stop. */
export async function measureSchedules({ many }: Pick<Plan, 'many'>): Promise<readonly ScheduleFigures[]> {
  const figures: ScheduleFigures[] = []
  for (const schedules of [FEW, Math.min(many, 10_000)]) figures.push(await measure(schedules))
  return figures
}

async function measure(schedules: number): Promise<ScheduleFigures> {
  const clock = testClock()
  await using gateway = await startTestGateway({ plugins: standardPlugins, clock })
  // Monthly schedules exist but are not due.
  await create(gateway, schedules - DUE, '0 0 1 * *')
  await create(gateway, DUE, '* * * * *')
  const idleTickMs = await timed(TICKS, () => tick(gateway))
  const dueTickMs = await timed(TICKS / 5, async () => {
    clock.advance(60)
    await tick(gateway)
  })
  return { schedules, idleTickMs, dueTickMs, due: DUE, caughtUp: await catchUp(schedules) }
}

/** All schedules are due each minute; then no tick runs for an hour. */
async function catchUp(schedules: number): Promise<number> {
  const clock = testClock()
  await using gateway = await startTestGateway({ plugins: standardPlugins, clock })
  await create(gateway, schedules, '* * * * *')
  clock.advance(3_600)
  for (let quiet = 0, before = -1; quiet < 2; ) {
    await tick(gateway)
    const now = await made(gateway)
    quiet = now === before ? quiet + 1 : 0
    before = now
  }
  return made(gateway)
}

/** Each run creates a task. */
const made = async (gateway: TestGateway): Promise<number> => (await gateway.documents()).tasks?.length ?? 0

async function create(gateway: TestGateway, count: number, cronExpr: string): Promise<void> {
  for (let n = 0; n < count; n += 100) {
    const some = Array.from({ length: Math.min(100, count - n) }, (_, i) =>
      gateway.call('schedules_create', { name: `schedule ${n + i}`, cronExpr, kind: 'tool', target: 'tasks_create', message: TASK }),
    )
    await Promise.all(some)
  }
}

const tick = (gateway: TestGateway): Promise<void> => gateway.runJob('schedules.tick')

async function timed(times: number, work: () => Promise<void>): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    const began = performance.now()
    await work()
    took.push(performance.now() - began)
  }
  return median(took)
}
