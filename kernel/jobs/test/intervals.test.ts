import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Collection, defineJob, definePlugin } from '@gateway/sdk'
import { type TestClock, testClock } from '@gateway/testing'
import { pino } from 'pino'
import type { JobParts, JobRunner } from '../../core/src/ports/jobs.ts'
import { KERNEL_TENANT } from '../../storage/src/kernel-tenant.ts'
import type { Store } from '../../storage/src/port.ts'
import { subject } from '../../storage/test/subject.ts'
import { type JobRecord, jobRecords } from '../src/job-record.ts'
import { jobRunner } from '../src/runner.ts'

/** A run of a node's job, which continues until it is told to end. */
interface Run {
  readonly node: number
  readonly signal: AbortSignal
  end(): void
}

interface Spec {
  readonly everySeconds: number
  readonly overlapping?: boolean
}

class Nodes {
  readonly clock: TestClock
  readonly runs: Run[] = []
  readonly news = new EventEmitter()
  readonly records: Collection<JobRecord>
  readonly #store: Store
  readonly #spec: Spec
  readonly #started: JobRunner[] = []
  readonly #looks: number[] = []

  private constructor(store: Store, spec: Spec, clock: TestClock) {
    this.#store = store
    this.#spec = spec
    this.clock = clock
    this.records = store.collection<JobRecord>(jobRecords, KERNEL_TENANT)
  }

  static async over(spec: Spec, check: (nodes: Nodes) => Promise<void>): Promise<void> {
    const clock = testClock()
    const { store, dispose } = await subject({ clock })
    await store.prepare([jobRecords])
    const nodes = new Nodes(store, spec, clock)
    try {
      await check(nodes)
    } finally {
      for (const run of nodes.runs) run.end()
      await Promise.all(nodes.#started.map((node) => node.stop()))
      await dispose()
    }
  }

  start(): JobRunner {
    const node = this.#started.length
    this.#looks.push(0)
    const job = defineJob('node.job', {
      ...this.#spec,
      run: (_, { signal }) => new Promise<void>((end) => this.#begun({ node, signal, end })),
    })
    const parts: JobParts = {
      plugins: [definePlugin({ id: 'node', sdk: '^1.0.0', description: 'Holds a job.', jobs: [job] })],
      store: this.#shared(node),
      log: pino({ level: 'silent' }),
      tenants: async () => ['local'],
      dueTenants: async () => [],
      runIn: (job, _plugin, _tenantId, signal) => job.run({} as never, { signal } as never),
    }
    // A timer of agenda's outlives the test by half of it.
    const runner = jobRunner(parts, { lockSeconds: 5 })
    this.#started.push(runner)
    runner.start()
    return runner
  }

  async begun(count: number): Promise<Run> {
    while (this.runs.length < count) await once(this.news, 'begun')
    return this.runs[count - 1] as Run
  }

  /** Each of the nodes has polled twice: everything that it would have begun by then has begun. */
  async look(...nodes: number[]): Promise<void> {
    const enough = nodes.map((node) => [node, this.#looked(node) + 2] as const)
    while (enough.some(([node, looks]) => this.#looked(node) < looks)) await once(this.news, 'looked')
  }

  async released(): Promise<JobRecord> {
    for (;;) {
      const record = (await this.records.get('every:node.job')) as JobRecord
      if (record.lockedAt === undefined) return record
      await setTimeout(5)
    }
  }

  #looked(node: number): number {
    return this.#looks[node] as number
  }

  #begun(run: Run): void {
    this.runs.push(run)
    this.news.emit('begun')
  }

  async #written(write: Promise<JobRecord | undefined>): Promise<JobRecord | undefined> {
    const record = await write
    if (record !== undefined && record.lockedAt === undefined) this.news.emit('unlocked')
    return record
  }

  /** A store shared by several processes: a start must not take the others' locks for those of dead nodes. */
  #shared(node: number): Store {
    const store = this.#store
    const records = new Proxy(this.records, {
      get: (target, name) => {
        if (name === 'distinct') {
          this.#looks[node] = this.#looked(node) + 1
          queueMicrotask(() => this.news.emit('looked'))
        }
        if (name === 'updateOne') return (...update: Parameters<typeof target.updateOne>) => this.#written(target.updateOne(...update))
        return (target[name as 'get'] as () => unknown).bind(target)
      },
    })
    return { kind: 'mongodb', now: () => store.now(), collection: () => records } as unknown as Store
  }
}

describe('jobs by themselves', () => {
  it('of several nodes one begins a run, whenever it is due', () =>
    Nodes.over({ everySeconds: 3_600 }, async (nodes) => {
      for (let i = 0; i < 3; i++) nodes.start()
      const first = await nodes.begun(1)
      await nodes.look(...[0, 1, 2].filter((node) => node !== first.node))
      assert.equal(nodes.runs.length, 1, 'while it goes on')
      first.end()
      await nodes.released()
      nodes.clock.advance(3_601)
      const second = await nodes.begun(2)
      second.end()
      await nodes.released()
      await nodes.look(0, 1, 2)
      assert.equal(nodes.runs.length, 2, 'and when it has ended')
    }))

  it('what was missed while no node ran is caught up once', () =>
    Nodes.over({ everySeconds: 60 }, async (nodes) => {
      const first = nodes.start()
      ;(await nodes.begun(1)).end()
      await nodes.released()
      await first.stop()
      nodes.clock.advance(3_600)
      nodes.start()
      ;(await nodes.begun(2)).end()
      await nodes.released()
      await nodes.look(1)
      assert.equal(nodes.runs.length, 2)
    }))

  it('a start does not run again what another node ran within its interval', () =>
    Nodes.over({ everySeconds: 60 }, async (nodes) => {
      const first = nodes.start()
      ;(await nodes.begun(1)).end()
      await nodes.released()
      await first.stop()
      nodes.start()
      await nodes.look(1)
      assert.equal(nodes.runs.length, 1)
    }))

  it('a stop tells the run under way to end, waits for it, and leaves no lock', () =>
    Nodes.over({ everySeconds: 3_600 }, async (nodes) => {
      const node = nodes.start()
      const run = await nodes.begun(1)
      let ended = false
      run.signal.addEventListener('abort', () =>
        setImmediate(() => {
          ended = true
          run.end()
        }),
      )
      await node.stop()
      assert.ok(ended)
      assert.equal((await nodes.records.get('every:node.job'))?.lockedAt, undefined)
    }))

  it('a round that a stop cuts off is begun again at once, on another node, and a whole one is not', () =>
    Nodes.over({ everySeconds: 86_400 }, async (nodes) => {
      const node = nodes.start()
      const cut = await nodes.begun(1)
      cut.signal.addEventListener('abort', cut.end)
      await node.stop()
      const other = nodes.start()
      ;(await nodes.begun(2)).end()
      await nodes.released()
      await other.stop()
      nodes.start()
      await nodes.look(2)
      assert.equal(nodes.runs.length, 2)
    }))

  it('a stop while a run is being written off ends, however far that is', () =>
    Nodes.over({ everySeconds: 60 }, async (nodes) => {
      for (let steps = 0; steps < 20; steps++) {
        const node = nodes.start()
        const run = await nodes.begun(steps + 1)
        const unlocked = once(nodes.news, 'unlocked')
        run.end()
        await unlocked
        for (let i = 0; i < steps; i++) await Promise.resolve()
        await node.stop()
        nodes.clock.advance(61)
      }
    }))

  it('a job of short interval keeps its node and its lock, and one run follows another', () =>
    Nodes.over({ everySeconds: 0.05 }, async (nodes) => {
      nodes.start()
      nodes.start()
      for (let n = 1; n <= 5; n++) {
        const run = await nodes.begun(n)
        assert.equal(run.node, nodes.runs[0]?.node)
        await new Promise(setImmediate)
        assert.equal(nodes.runs.length, n, 'a run under way is not begun again')
        run.end()
      }
      assert.equal((await nodes.records.get('every:node.job'))?.lock, 1)
    }))

  it('runs that may overlap begin at each interval, also while earlier ones go on', () =>
    Nodes.over({ everySeconds: 0.05, overlapping: true }, async (nodes) => {
      nodes.start()
      await nodes.begun(3)
    }))

  it('a long interval is not kept waiting by a run that may be overlapped', () =>
    Nodes.over({ everySeconds: 60, overlapping: true }, async (nodes) => {
      nodes.start()
      await nodes.begun(1)
      await nodes.released()
      nodes.clock.advance(61)
      await nodes.begun(2)
    }))
})
