import { get } from 'node:http'
import { type Browser, chromium } from 'playwright-core'
import { program } from '../test/support/programs.ts'
import { claimSteps, QUEUE } from './claims.ts'
import { median, type Spread, spread } from './median.ts'
import type { Plan } from './plan.ts'
import { load, run, type Server, startGateway } from './processes.ts'
import { toolCalls } from './tool-calls.ts'

const TASKS = 10_000
const LISTENERS = 200
/** Number of measured page loads, and of changes. */
const LOOKS = 10
const WARM_UP = 8
const TURNS = 8

export interface DashboardFigures {
  /**
   * Milliseconds from requesting the page of tasks until all its panels have answers, in a browser with an empty cache. Absent
   * without a browser.
   */
  readonly firstPage?: number
  /** Milliseconds from the call that creates a task until its title shows. */
  readonly change?: number
  /** Rate of `tasks_claim` while dashboards are open, relative to its rate without. */
  readonly beside: Spread
}

/** Measures the waiting times of a person, and the cost of open dashboards for other callers. */
export async function measureDashboard({ folder }: Pick<Plan, 'folder'>): Promise<DashboardFigures> {
  const dataDir = folder()
  await run('./seed.ts', [dataDir, QUEUE, String(TASKS)])
  const gateway = await startGateway(dataDir)
  try {
    const shown = program('chromium') === undefined ? {} : await inBrowser(gateway)
    return { ...shown, beside: await besideListeners(gateway) }
  } finally {
    await gateway.stop()
  }
}

async function inBrowser(gateway: Server): Promise<{ firstPage: number; change: number }> {
  const browser = await chromium.launch({ executablePath: program('chromium') as string, args: ['--no-sandbox'] })
  try {
    return { firstPage: await firstPage(browser, gateway), change: await change(browser, gateway) }
  } finally {
    await browser.close()
  }
}

const tasksPage = ({ port }: Server): string => `http://127.0.0.1:${port}/dashboard/tasks`

async function firstPage(browser: Browser, gateway: Server): Promise<number> {
  const took: number[] = []
  for (let look = 0; look < LOOKS; look++) {
    const context = await browser.newContext()
    const page = await context.newPage()
    const began = performance.now()
    await page.goto(tasksPage(gateway), { waitUntil: 'commit' })
    await page.locator('h1').first().waitFor()
    await page.locator('[aria-busy=true], .loading').first().waitFor({ state: 'detached' })
    took.push(performance.now() - began)
    await context.close()
  }
  return median(took)
}

async function change(browser: Browser, gateway: Server): Promise<number> {
  await using calls = toolCalls(gateway, 1)
  const page = await browser.newPage()
  await page.goto(`${tasksPage(gateway)}?repo=org%2Flive`)
  await page.getByText('Live', { exact: true }).waitFor()
  const took: number[] = []
  for (let look = 0; look < LOOKS; look++) {
    // A panel pauses for a second between two answers; the measured change must start from idle.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const began = performance.now()
    await calls.call('tasks_create', { repo: 'org/live', title: `Change number ${look}` })
    await page.getByText(`Change number ${look}`).first().waitFor()
    took.push(performance.now() - began)
  }
  return median(took)
}

async function besideListeners(gateway: Server): Promise<Spread> {
  const claims = async () => (await load({ port: gateway.port, connections: 16, steps: claimSteps(1, 'claims') })).claims
  await load({ port: gateway.port, connections: 16, steps: claimSteps(WARM_UP) })
  const ratios: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const alone = await claims()
    const listeners = await Promise.all(Array.from({ length: LISTENERS }, () => listen(gateway)))
    const beside = await claims()
    for (const close of listeners) close()
    // Closed streams count until the gateway has noticed.
    await new Promise((resolve) => setTimeout(resolve, 500))
    if (alone && beside) ratios.push(beside.perSecond / alone.perSecond)
  }
  return spread(ratios)
}

/** An open dashboard, as the gateway sees it: a stream of changes that is read. */
function listen({ port }: Server): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const asked = get(
      { host: '127.0.0.1', port, path: '/api/dashboard/events', headers: { accept: 'text/event-stream' }, agent: false },
      (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`/api/dashboard/events answered ${answer.statusCode}`))
        answer.resume()
        resolve(() => asked.destroy())
      },
    )
    asked.on('error', reject)
  })
}

export function dashboardMarkdown({ firstPage, change, beside }: DashboardFigures): string {
  const shown =
    firstPage === undefined || change === undefined
      ? 'No browser is here.'
      : `The page of tasks, with ${TASKS.toLocaleString('en')} of them, is usable after ${Math.round(firstPage)} ms in a browser that has not seen it; ` +
        `a change shows ${Math.round(change)} ms after the call that makes it began.`
  const percent = (ratio: number): string => ratio.toFixed(2)
  return `${shown} Beside ${LISTENERS} open dashboards \`tasks_claim\` has ${percent(beside.median)} of its rate (${percent(beside.least)} to ${percent(beside.most)}).`
}
