import type { Figures, Step } from './load.ts'
import { medians } from './median.ts'
import type { Plan } from './plan.ts'
import { load, run, type Server, startGateway, startServer } from './processes.ts'

export const FEW_RECORDS = 10_000
/** Lines in one call of the batch route. */
export const LINES = 100
const CONNECTIONS = 64
const WARM_UP = 0.5

const WRITES = ['bare', 'line', 'batch'] as const
const READS = ['logs', 'jobs', 'task', 'repo'] as const
type Write = (typeof WRITES)[number]
type Read = (typeof READS)[number]

export interface RecordFigures {
  /** Figures by call; one call of `batch` writes many lines. */
  readonly writes: Record<Write, Figures>
  readonly reads: readonly { readonly records: number; readonly read: Read; readonly calls: Figures }[]
}

const line = {
  correlationId: 'task-7',
  service: 'runner',
  message: 'Installed 412 packages in 9 s; 3 warnings, see /var/log/runner/install.log',
  attributes: { step: 'install', attempt: 1, machine: 'forge', seconds: 9.2 },
}
type Request = Pick<Step, 'path' | 'body' | 'expect'>
const writes: Record<Write, Request> = {
  bare: { path: '/', body: line, expect: '"task":null' },
  line: { path: '/api/tools/logs_record', body: line, expect: '"logId"' },
  batch: { path: '/api/logs/batch', body: { lines: Array.from({ length: LINES }, () => line) }, expect: `"recorded":${LINES}` },
}
const reads: Record<Read, Request> = {
  logs: { path: '/api/tools/logs_list', body: { level: 'error', limit: 50 }, expect: '"logId"' },
  jobs: { path: '/api/tools/job_history_search', body: { limit: 50 }, expect: '"jobId"' },
  task: { path: '/api/tools/job_history_search', body: { taskId: 'task-100' }, expect: '"total":4' },
  repo: { path: '/api/tools/job_history_search', body: { repo: 'repo-3', limit: 50 }, expect: '"jobId"' },
}

/** Measures log lines, each answered after it would survive a power cut, and pages out of few and of many records. */
export async function measureRecords({ seconds, rounds, many, folder }: Plan): Promise<RecordFigures> {
  const sizes = [FEW_RECORDS, many]
  const stores = new Map<number, string>()
  for (const records of sizes) {
    const dataDir = folder()
    await run('./seed-records.ts', [dataDir, String(records)])
    stores.set(records, dataDir)
  }
  const measured = new Map<string, Figures[]>()
  const measure = async (key: string, server: Server, request: Request): Promise<void> => {
    const steps = [
      { ...request, seconds: WARM_UP },
      { ...request, seconds: seconds / 2, name: 'calls' },
    ]
    const { calls } = await load({ port: server.port, connections: CONNECTIONS, steps })
    if (calls !== undefined) measured.set(key, [...(measured.get(key) ?? []), calls])
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const records of sizes) {
      const gateway = await startGateway(stores.get(records) ?? '')
      try {
        for (const read of READS) await measure(`${records} ${read}`, gateway, reads[read])
      } finally {
        await gateway.stop()
      }
    }
    const [gateway, bare] = await Promise.all([startGateway(folder()), startServer('bare')])
    try {
      for (const write of WRITES) await measure(write, write === 'bare' ? bare : gateway, writes[write])
    } finally {
      await Promise.all([gateway.stop(), bare.stop()])
    }
  }
  const of = (key: string): Figures => medians(measured.get(key) ?? [])
  return {
    writes: { bare: of('bare'), line: of('line'), batch: of('batch') },
    reads: sizes.flatMap((records) => READS.map((read) => ({ records, read, calls: of(`${records} ${read}`) }))),
  }
}
