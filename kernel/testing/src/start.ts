import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boot } from '@gateway/defaults'
import { type Served, serve } from '@gateway/http'
import { type BootedGateway, LOCAL_TENANT, newId } from '@gateway/kernel'
import { type Principal, ToolError } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { type InjectResponse, storeUnderTest, type TestGateway, type TestGatewayOptions, testClock } from '@gateway/testing'
import { pino } from 'pino'
import { testDatabase } from './testing-database.ts'
import { watchWritten } from './written-documents.ts'

/** Starts the real kernel on a temporary store, for `startTestGateway` of `@gateway/testing`. */
export async function startForTest(options: TestGatewayOptions): Promise<TestGateway> {
  const clock = options.clock ?? testClock()
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'gateway-test-')))
  const logs: Record<string, unknown>[] = []
  const log = pino({ level: 'debug' }, { write: (line) => void logs.push(JSON.parse(line) as Record<string, unknown>) })
  const env = { GATEWAY_PORT: '0', ...options.env, GATEWAY_DATA_DIR: dataDir }
  const settings = { ...loadSettings({ env, cwd: dataDir }), plugins: options.config ?? {} }
  const operator: Principal = { id: 'operator', kind: 'operator', role: 'operator', tenantId: LOCAL_TENANT, ...options.as }

  const { kind, url } = storeUnderTest()
  const database = kind === 'mongodb' && settings.mongodbUrl === undefined ? testDatabase(url as string, dataDir) : undefined
  const remove = async (): Promise<void> => {
    if (options.dataDir !== undefined) return
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }

  let gateway: BootedGateway
  let faultsOfWritten: () => Promise<readonly string[]>
  // Without a port the HTTP side starts with the first request: most tests call tools alone, and its routes are a fifth of a start.
  let served: Promise<Served> | undefined
  let address = ''
  const serving = (): Promise<Served> => {
    served ??= serve(gateway, { listen: options.listen ?? false })
    return served
  }
  const start = async (): Promise<void> => {
    gateway = await boot(
      {
        plugins: options.plugins,
        settings,
        log,
        env,
        clock,
        checkOutputs: true,
      },
      database && { openStore: database.open },
    )
    served = undefined
    faultsOfWritten = options.checkDocuments ? watchWritten(gateway) : async () => []
    if (options.listen) address = (await serving()).url
  }
  const stopRunning = async (): Promise<void> => {
    // A store that a test has damaged cannot be read.
    const faults = await faultsOfWritten().catch(() => [])
    if (served === undefined) gateway.endWaits()
    else await (await served).close()
    await gateway.stop()
    if (faults.length > 0) throw new Error(faults.join('\n'))
  }
  try {
    await start()
  } catch (error) {
    await remove()
    throw error
  }

  const test: TestGateway = {
    clock,
    dataDir,
    logs,
    get url() {
      return address
    },
    async call(name, args = {}, { as, via = 'mcp', signal } = {}) {
      const outcome = await gateway.invoke({
        name,
        args,
        via,
        principal: { ...operator, ...as },
        requestId: newId('test-', clock.now()),
        ...(signal && { signal }),
      })
      if (!outcome.ok) throw new ToolError(outcome.error.code, outcome.status, outcome.error.error, outcome.error.details)
      // Passed through JSON, like the result that a caller receives.
      return JSON.parse(JSON.stringify(outcome.result)) as unknown
    },
    inject: async (request) => (await (await serving()).inject(request)) as InjectResponse,
    audit: (tenantId = LOCAL_TENANT) => readAudit(join(dataDir, 'audit', tenantId)),
    documents: (tenantId = LOCAL_TENANT) => readDocuments(gateway, tenantId),
    get tenants() {
      return gateway.tenants
    },
    async runJob(id) {
      await gateway.jobs.runEverywhere(id)
    },
    async restart() {
      await stopRunning()
      await start()
    },
    async stop() {
      try {
        await stopRunning()
      } finally {
        await remove()
      }
    },
    [Symbol.asyncDispose]: () => test.stop(),
  }
  return test
}

async function readDocuments(gateway: BootedGateway, tenantId: string): Promise<Record<string, readonly object[]>> {
  const refs = gateway.inventory.plugins.flatMap((plugin) => plugin.collections)
  const pages = refs.map(async (ref) => {
    const { items } = await gateway.store.collection<Record<string, unknown>>(ref, tenantId).find({ limit: 10_000 })
    return [ref.id, items] as const
  })
  return Object.fromEntries(await Promise.all(pages))
}

async function readAudit(dir: string): Promise<Record<string, unknown>[]> {
  const names = await readdir(dir).catch(() => [])
  const days = names.filter((name) => name.endsWith('.jsonl')).sort()
  const texts = await Promise.all(days.map((day) => readFile(join(dir, day), 'utf8')))
  return texts
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
