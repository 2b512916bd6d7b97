/**
 * `npm run bench`: compares the built service, on this machine, with the parts it is built on. Numbers of two machines do not
 * compare; the ratios, measured side by side in one run, do. Without an option for a part it measures all parts of the report.
 *
 *   --seconds=5    length of one measurement
 *   --quick        short measurements, one round, 20,000 tasks for a million
 *   --dir=PATH     folder for the stores
 *   --write        also write docs/benchmarks.md; with a part, the section of that part
 *   --help         this text
 *
 * Parts, one at a time:
 *   --brain        commits and reads of the brain at 10,000 and 100,000 atoms
 *   --dashboard    waiting times at the dashboard, and the cost of open dashboards
 *   --edges=FILE   whether the graph of --repo=FOLDER has the imports in a JSON of dependency-cruiser
 *   --erasure      the cost to another tenant of erasing a large one
 *   --graph        the code graph of a repo of 10,000 files
 *   --handlers     tenants' own tools
 *   --keys         claims with idempotency keys, against claims without
 *   --lists        the size of tool lists, and how well tools are found
 *   --memory       storing and searching memories
 *   --typing       searching with a typing error, beside the same questions without one
 *   --meters       the cost of measuring calls
 *   --models       the overhead on a call of a model, the model endpoint beside LiteLLM, and the cost of counting use
 *   --mongodb      claims on MongoDB, against the driver alone
 *   --oauth        calls with an OAuth token, against calls with a key
 *   --profile      the main thread's time per call, by part
 *   --recall       how well memories are found; with GATEWAY_MODEL_DIR by vectors too
 *   --records      log lines and past runs
 *   --waiting      calls that wait: their memory, and how soon they are woken
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { standardPlugins } from '@gateway/standard'
import { brainMarkdown, measureBrain } from './brain.ts'
import { measureClaims } from './claims.ts'
import { dashboardMarkdown, measureDashboard } from './dashboard.ts'
import { syncsPerSecond } from './disk.ts'
import { endpointMarkdown, measureEndpoint } from './endpoint.ts'
import { erasureMarkdown, measureErasure } from './erasure.ts'
import { graphMarkdown, measureGraph } from './graph.ts'
import { measureHandlers } from './handlers.ts'
import { compareEdges, edgesMarkdown } from './import-edges.ts'
import { keysMarkdown, measureKeys } from './keys.ts'
import { measureLists } from './lists.ts'
import { machine } from './machine.ts'
import { measureMemory, memoryMarkdown } from './memory.ts'
import { measureMeters, metersMarkdown } from './meters.ts'
import { measureModels, modelsMarkdown } from './models.ts'
import { measureMongo, mongoMarkdown } from './mongodb.ts'
import { measureTokens, tokensMarkdown } from './oauth.ts'
import type { Plan } from './plan.ts'
import { measureProfile, profileMarkdown } from './profile.ts'
import { measureRecall, recallMarkdown } from './recall.ts'
import { measureRecords } from './records.ts'
import { handlersMarkdown, markdown, recordsMarkdown, toolsMarkdown } from './report.ts'
import { measureSchedules } from './schedules.ts'
import { measureSearch } from './search.ts'
import { withSection } from './sections.ts'
import { measureStart } from './start.ts'
import { storesFolder } from './stores-folder.ts'
import { measureTransports } from './transports.ts'
import { measureTyping, typingMarkdown } from './typing.ts'
import { measureUse, useMarkdown } from './use.ts'
import { measureWaiting, waitingMarkdown } from './waiting.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    dir: { type: 'string', default: tmpdir() },
    write: { type: 'boolean', default: false },
    lists: { type: 'boolean', default: false },
    records: { type: 'boolean', default: false },
    handlers: { type: 'boolean', default: false },
    recall: { type: 'boolean', default: false },
    typing: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    meters: { type: 'boolean', default: false },
    models: { type: 'boolean', default: false },
    erasure: { type: 'boolean', default: false },
    dashboard: { type: 'boolean', default: false },
    waiting: { type: 'boolean', default: false },
    keys: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    mongodb: { type: 'boolean', default: false },
    oauth: { type: 'boolean', default: false },
    brain: { type: 'boolean', default: false },
    graph: { type: 'boolean', default: false },
    edges: { type: 'string' },
    repo: { type: 'string', default: process.cwd() },
  },
})

const REPORT = new URL('../docs/benchmarks.md', import.meta.url)
/** Headings of parts whose text has none. */
const TITLES: Readonly<Record<string, string>> = {
  brain: 'Brain',
  graph: 'Code graph',
  erasure: 'Erasing a tenant',
  dashboard: 'Dashboard',
  waiting: 'Waiting calls',
  models: 'Models and use',
  meters: 'Meters',
}

/** Parts that `--<name>` measures alone. */
const parts = {
  records: async (plan: Plan) => recordsMarkdown(await measureRecords(plan), plan),
  brain: async (plan: Plan) => brainMarkdown(await measureBrain(plan)),
  graph: async (plan: Plan) => graphMarkdown(await measureGraph(plan)),
  edges: async (plan: Plan) => edgesMarkdown(await compareEdges(resolve(values.repo), values.edges ?? '', plan.folder())),
  erasure: async (plan: Plan) => erasureMarkdown(await measureErasure(plan)),
  dashboard: async (plan: Plan) => dashboardMarkdown(await measureDashboard(plan)),
  waiting: async (plan: Plan) => waitingMarkdown(await measureWaiting(plan)),
  profile: async (plan: Plan) => profileMarkdown(await measureProfile(plan)),
  keys: async (plan: Plan) => keysMarkdown(await measureKeys(plan)),
  mongodb: async (plan: Plan) => mongoMarkdown(await measureMongo(plan)),
  oauth: async (plan: Plan) => tokensMarkdown(await measureTokens(plan)),
  models: async (plan: Plan) =>
    [modelsMarkdown(await measureModels(plan)), endpointMarkdown(await measureEndpoint(plan)), useMarkdown(await measureUse(plan))].join(
      '\n\n',
    ),
  meters: async (plan: Plan) => metersMarkdown(await measureMeters(plan)),
  handlers: async (plan: Plan) => handlersMarkdown(await measureHandlers(plan)),
} as const

const tools = { lists: measureLists(standardPlugins), search: measureSearch(standardPlugins) }
if (values.help) console.log(/(?<=^\/\*\*\n)[^]*?(?=\n \*\/)/.exec(readFileSync(import.meta.filename, 'utf8'))?.[0].replace(/^ \* ?/gm, ''))
else if (values.lists) console.log(toolsMarkdown(tools))
else if (values.recall) console.log(recallMarkdown(await measureRecall(process.env.GATEWAY_MODEL_DIR)))
else if (values.typing) console.log(typingMarkdown(await measureTyping(values.quick ? 10_000 : 100_000)))
else if (values.memory) console.log(memoryMarkdown(await measureMemory(values.quick ? 10_000 : 100_000, values.quick ? 100 : 1_000)))
else await measureAll()

async function measureAll(): Promise<void> {
  const base = storesFolder(values.dir)
  // Read before the run, which itself loads the machine.
  const where = machine(base)
  const plan: Plan = {
    seconds: Number(values.seconds ?? (values.quick ? 1 : 5)),
    rounds: values.quick ? 1 : 3,
    many: values.quick ? 20_000 : 1_000_000,
    folder: () => mkdtempSync(join(base, 'data-')),
  }
  const say = (what: string): void => console.error(`bench: ${what} …`)

  try {
    const only = Object.entries(parts).find(([name]) => values[name as keyof typeof parts])
    if (only) {
      const [name, measure] = only
      say(name)
      const text = await measure(plan)
      console.log(text)
      if (values.write) writeFileSync(REPORT, withSection(readFileSync(REPORT, 'utf8'), text, TITLES[name] ?? name, where))
      return
    }
    say('the disk')
    const syncs = syncsPerSecond(base, Math.min(plan.seconds, 2))
    say('one cheap read over each transport')
    const transports = await measureTransports(plan)
    say(`claims with ${(1000).toLocaleString('en')} and ${plan.many.toLocaleString('en')} pending tasks`)
    const claims = await measureClaims(plan)
    say(`log lines and past runs, ${plan.many.toLocaleString('en')} of them`)
    const records = await measureRecords(plan)
    say('tools of tenants')
    const handlers = await measureHandlers(plan)
    say('schedules')
    const schedules = await measureSchedules(plan)
    say('the meters')
    const meters = await measureMeters(plan)
    say('calls of models')
    const models = await measureModels(plan)
    const endpoint = await measureEndpoint(plan)
    const use = await measureUse(plan)
    say('starting')
    const start = await measureStart(plan)
    const report = markdown({
      machine: where,
      plan,
      syncs,
      transports,
      claims,
      schedules,
      records,
      handlers,
      meters,
      models,
      endpoint,
      use,
      start,
      tools,
    })
    console.log(report)
    if (values.write) writeFileSync(REPORT, report)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}
