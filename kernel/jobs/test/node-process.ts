import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { defineJob, definePlugin } from '@gateway/sdk'
import { pino } from 'pino'
import type { JobParts } from '../../core/src/ports/jobs.ts'
import type { NodeOptions } from './node.ts'

const { where, aheadMs, everySeconds, lockSeconds } = JSON.parse(process.argv[2] as string) as NodeOptions

// Set before anything reads the time: this node's clock is wrong, the store's is not.
const RealDate = Date
const storeClock = { now: () => RealDate.now() }
if (aheadMs !== 0) {
  globalThis.Date = class extends RealDate {
    constructor(...args: [] | [number]) {
      super(...((args.length === 0 ? [RealDate.now() + aheadMs] : args) as [number]))
    }
    static override now(): number {
      return RealDate.now() + aheadMs
    }
  } as DateConstructor
}

const [{ jobRecords }, { jobRunner }, { KERNEL_TENANT }] = await Promise.all([
  import('../src/job-record.ts'),
  import('../src/runner.ts'),
  import('../../storage/src/kernel-tenant.ts'),
])
const log = { warn() {} }
const tell = (word: string): void => void process.stdout.write(`${word}\n`)
async function open() {
  if ('dataDir' in where) return (await import('../../storage-sqlite/src/index.ts')).openSqlite({ ...where, clock: storeClock, log })
  const { openMongo } = await import('../../storage-mongodb/src/index.ts')
  return openMongo({ ...where, clock: storeClock, log })
}
const store = await open()
await store.prepare([jobRecords])
const records = store.collection(jobRecords, KERNEL_TENANT)
const look = records.distinct.bind(records)
records.distinct = (...args) => look(...args).finally(() => tell('looked'))

const commands = createInterface({ input: process.stdin })

/** Begins, and continues until it is told to end. */
const held = defineJob('node.held', {
  everySeconds,
  async run(_, { signal }) {
    tell('begun')
    signal.addEventListener('abort', () => tell('told to end'), { once: true })
    await once(commands, 'end a run')
  },
})
commands.on('line', (word) => void commands.emit(word))

const parts: JobParts = {
  plugins: [definePlugin({ id: 'node', sdk: '^1.0.0', description: 'Holds a job.', jobs: [held] })],
  store,
  log: pino({ level: 'silent' }),
  tenants: async () => ['local'],
  dueTenants: async () => [],
  runIn: (job, _plugin, _tenantId, signal) => job.run({} as never, { signal } as never),
}
const jobs = jobRunner(parts, { lockSeconds })
jobs.start()
commands.on('stop', () => void jobs.stop().then(() => process.exit()))
