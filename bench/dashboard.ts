import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { program } from '../test/support/programs.ts'
import { claimSteps, QUEUE } from './claims.ts'
import { median, type Spread, spread } from './median.ts'
import type { Plan } from './plan.ts'
import { load, run, type Server, startGateway } from './processes.ts'
import { toolCalls } from './tool-calls.ts'

const TASKS = 10_000
const LISTENERS = 200
/** Open dashboards whose cost is measured while nothing happens: as many as a tenant may have. */
const IDLE_LISTENERS = 250
const IDLE_MS = 45_000
const SETTLE_MS = 5_000
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
  /** Used part of a core with 250 open dashboards, and without any, while nothing happens. */
  readonly idle: { readonly open: number; readonly without: number }
}

/** Measures the waiting times of a person, and the cost of open dashboards for other callers. */
export async function measureDashboard({ folder }: Pick<Plan, 'folder'>): Promise<DashboardFigures> {
  const dataDir = folder()
  await run('./seed.ts', [dataDir, QUEUE, String(TASKS)])
  const gateway = await startGateway(dataDir)
  try {
    const shown = program('chromium') === undefined ? {} : await inBrowser(gateway)
    return { ...shown, beside: await besideListeners(gateway), idle: await idle(gateway) }
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
    // A panel rests between two answers; the measured change must start from idle.
    await sleep(1_500)
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
    await sleep(500)
    if (alone && beside) ratios.push(beside.perSecond / alone.perSecond)
  }
  return spread(ratios)
}

/** While nothing changes, an open page asks for nothing, and its stream is all that it costs. */
async function idle(gateway: Server): Promise<{ open: number; without: number }> {
  const used = async (): Promise<number> => {
    await sleep(SETTLE_MS)
    const before = gateway.cpu()
    const began = performance.now()
    await sleep(IDLE_MS)
    return (gateway.cpu() - before) / (performance.now() - began)
  }
  const without = await used()
  const listeners = await Promise.all(Array.from({ length: IDLE_LISTENERS }, () => listen(gateway)))
  const open = await used()
  for (const close of listeners) close()
  return { open, without }
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

export function dashboardMarkdown({ firstPage, change, beside, idle }: DashboardFigures): string {
  const shown =
    firstPage === undefined || change === undefined
      ? 'No browser is here.'
      : `The page of tasks, with ${TASKS.toLocaleString('en')} of them, is usable after ${Math.round(firstPage)} ms in a browser that has not seen it; ` +
        `a change shows ${Math.round(change)} ms after the call that makes it began.`
  const percent = (ratio: number): string => ratio.toFixed(2)
  return `${shown} Beside ${LISTENERS} open dashboards \`tasks_claim\` has ${percent(beside.median)} of its rate (${percent(beside.least)} to ${percent(beside.most)}). While nothing happens, ${IDLE_LISTENERS} open dashboards bring the gateway from ${share(idle.without)} to ${share(idle.open)} of a core.`
}

const share = (part: number): string => `${(part * 100).toFixed(1)} %`
