import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { needs } from '@gateway/testing'
import fc from 'fast-check'
import { Model, type ModelTask } from './model.ts'
import { start, type Task, type TestGateway } from './support.ts'

/** An operation on a tenant's tasks. A `which` picks one of the existing tasks. */
type Step =
  | { do: 'create'; priority: string; upstreams: number[] }
  | { do: 'claim'; which: number | undefined; leaseSeconds: number }
  | { do: 'update'; which: number; status: string; defer: number | undefined; quote: 'nothing' | 'current' | 'stale' }
  | { do: 'relink'; which: number; upstreams: number[] }
  | { do: 'fail' | 'delete' | 'restore'; which: number }
  | { do: 'reap' }
  | { do: 'wait'; seconds: number }

const which = fc.nat(11)
const upstreams = fc.array(which, { maxLength: 3 })
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), priority: fc.constantFrom('P0', 'P2'), upstreams }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('claim' as const),
        which: fc.option(which, { nil: undefined, freq: 3 }),
        leaseSeconds: fc.constantFrom(60, 3_600),
      }),
    },
    {
      weight: 7,
      arbitrary: fc.record({
        do: fc.constant('update' as const),
        which,
        status: fc.constantFrom('pending', 'pending', 'working', 'review', 'done', 'done', 'done', 'blocked', 'paused', 'dead_letter'),
        defer: fc.option(fc.constantFrom(0, 30, 600), { nil: undefined }),
        quote: fc.constantFrom('nothing', 'current', 'stale'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('relink' as const), which, upstreams }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('fail' as const, 'delete' as const, 'restore' as const), which }) },
    { weight: 1, arbitrary: fc.constant({ do: 'reap' as const }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 60, 300, 3_600) }) },
  ),
  { maxLength: 60, size: 'max' },
)

let gateway: TestGateway
before(async () => {
  gateway = await start({ env: { BULK_BLOCK_THRESHOLD: '10000' } })
})
after(() => gateway.stop())

let runs = 0

test('whatever happens to tasks, and in whatever order, they are as the state table says', needs('scale'), async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const tenant = new Tenant(`tenant-${runs++}`)
      for (const step of steps) await tenant.take(step)
      await tenant.compare()
    }),
    { numRuns: 60 },
  )
})

/** Applies each step to the gateway and to the model, and compares their answers. */
class Tenant {
  readonly #model = new Model()
  readonly #ids: string[] = []
  readonly #tenantId: string

  constructor(tenantId: string) {
    this.#tenantId = tenantId
  }

  async take(step: Step): Promise<void> {
    const now = gateway.clock.now()
    switch (step.do) {
      case 'create':
        return this.#create(step, now)
      case 'claim':
        return this.#claim(step, now)
      case 'update':
        return this.#update(step, now)
      case 'relink':
        return this.#relink(step)
      case 'fail':
        return this.#fail(this.#pick(step.which), now)
      case 'delete':
        return this.#delete(this.#pick(step.which))
      case 'restore':
        return this.#restore(this.#pick(step.which))
      case 'reap': {
        const expired = this.#model.expired(now)
        for (const task of expired) this.#model.fail(task, now)
        // Runs as a tenant's caller: the operator would reap the tenants of the other runs too.
        const { taskIds } = await this.#call('task_lease_reap', {}, { kind: 'api-key', role: 'member' })
        return assert.deepEqual(taskIds.sort(), expired.map(({ taskId }) => taskId).sort())
      }
      case 'wait':
        return gateway.clock.advance(step.seconds)
    }
  }

  /** Every task with its derived fields, and no live claim twice. */
  async compare(): Promise<void> {
    const now = gateway.clock.now()
    const { tasks } = (await this.#call('tasks_list', { limit: 500 })) as { tasks: Task[] }
    const seen = new Map(tasks.map((task) => [task.taskId, task]))
    assert.deepEqual([...seen.keys()].sort(), [...this.#model.active.keys()].sort())
    for (const model of this.#model.active.values()) {
      const task = seen.get(model.taskId) as Task
      const stage = this.#model.stage(model, now)
      // A delayed task is made ready by the claim that finds it due, so until then it may still say delayed.
      if (!(stage === 'ready' && task.stage === 'delayed')) assert.equal(task.stage, stage)
      assert.deepEqual(shape(task), {
        status: model.status,
        dependsOn: model.dependsOn,
        waitingOn: this.#model.waitingOn(model),
        dependents: this.#dependents(model.taskId),
        retryCount: model.retryCount,
        pacingDeferCount: model.pacingDeferCount,
        nextRetryAt: iso(model.nextRetryAt),
        leaseUntil: iso(model.leaseUntil),
        completedAt: iso(model.completedAt),
        claimId: model.claimId,
        started: model.started,
      })
    }
    const claims = tasks.filter(({ status }) => status === 'working').flatMap(({ claimId }) => claimId ?? [])
    assert.equal(new Set(claims).size, claims.length)
  }

  async #create({ priority, upstreams }: Extract<Step, { do: 'create' }>, now: number): Promise<void> {
    const dependsOn = this.#pickMany(upstreams)
    const call = this.#call('tasks_create', { repo: 'web', title: 'x', priority, dependsOn })
    if (dependsOn.some((id) => !this.#model.active.has(id))) return refused(call, 'UNKNOWN_DEPENDENCY')
    const { taskId } = (await call).task
    this.#ids.push(taskId)
    this.#model.active.set(taskId, {
      taskId,
      priority,
      createdAt: now,
      status: 'pending',
      dependsOn,
      retryCount: 0,
      started: false,
      pacingDeferCount: 0,
    })
  }

  async #claim({ which, leaseSeconds }: Extract<Step, { do: 'claim' }>, now: number): Promise<void> {
    const asked = which === undefined ? undefined : this.#pick(which)
    const named = asked === undefined ? undefined : this.#model.active.get(asked)
    const ready = named && this.#model.stage(named, now) === 'ready' ? named : undefined
    const expected = asked === undefined ? this.#model.first(now) : ready
    const { task } = await this.#call('tasks_claim', { claimedBy: 'ada', leaseSeconds, ...(asked !== undefined && { taskId: asked }) })
    assert.equal(task?.taskId, expected?.taskId)
    if (expected) this.#model.claim(expected, now, leaseSeconds, task.claimId)
  }

  async #update({ which, status, defer, quote }: Extract<Step, { do: 'update' }>, now: number): Promise<void> {
    const taskId = this.#pick(which)
    const task = this.#model.active.get(taskId)
    const claimId = quote === 'stale' ? 'claim-stale' : quote === 'current' ? task?.claimId : undefined
    const deferSeconds = status === 'pending' ? defer : undefined
    const call = this.#call('tasks_update', {
      taskId,
      status,
      ...(claimId && { claimId }),
      ...(deferSeconds !== undefined && { deferSeconds }),
    })
    if (!task) return refused(call, 'NOT_FOUND')
    const resumes = claimId !== undefined && status === 'working' && task.status !== 'working'
    if (quote === 'stale' || resumes) return refused(call, 'CONFLICT')
    await call
    this.#model.move(task, status, now, claimId !== undefined)
    if (deferSeconds !== undefined) this.#model.defer(task, deferSeconds, now)
  }

  async #relink({ which, upstreams }: Extract<Step, { do: 'relink' }>): Promise<void> {
    const taskId = this.#pick(which)
    const task = this.#model.active.get(taskId)
    const dependsOn = this.#pickMany(upstreams)
    const call = this.#call('tasks_update', { taskId, dependsOn })
    if (!task) return refused(call, 'NOT_FOUND')
    const added = dependsOn.filter((id) => !task.dependsOn.includes(id))
    if (added.some((id) => this.#model.waitsFor(id, taskId))) return refused(call, 'DEPENDENCY_CYCLE')
    if (added.some((id) => !this.#model.active.has(id))) return refused(call, 'UNKNOWN_DEPENDENCY')
    await call
    task.dependsOn = dependsOn
  }

  async #fail(taskId: string, now: number): Promise<void> {
    const task = this.#model.active.get(taskId)
    const call = this.#call('tasks_fail', { taskId, error: 'x' })
    if (!task) return refused(call, 'NOT_FOUND')
    if (task.status !== 'working') return refused(call, 'CONFLICT')
    await call
    this.#model.fail(task, now)
  }

  async #delete(taskId: string): Promise<void> {
    const task = this.#model.active.get(taskId)
    const call = this.#call('tasks_delete', { taskId })
    if (!task) return refused(call, 'NOT_FOUND')
    if (task.status === 'working') return refused(call, 'TASK_WORKING')
    await call
    this.#model.active.delete(taskId)
    this.#model.trash.set(taskId, task)
  }

  async #restore(taskId: string): Promise<void> {
    const task = this.#model.trash.get(taskId)
    const call = this.#call('tasks_restore', { taskId })
    if (!task) return refused(call, 'NOT_FOUND')
    await call
    this.#model.trash.delete(taskId)
    this.#model.active.set(taskId, task)
  }

  #call(name: string, args: object, as: object = {}) {
    return gateway.call(name, args, { as: { tenantId: this.#tenantId, ...as } })
  }

  #pick(which: number): string {
    return this.#ids[which % this.#ids.length] ?? 'task-none'
  }

  #pickMany(whiches: readonly number[]): string[] {
    return this.#ids.length === 0 ? [] : [...new Set(whiches.map((which) => this.#pick(which)))]
  }

  #dependents(taskId: string): number {
    return [...this.#model.active.values(), ...this.#model.trash.values()].filter(({ dependsOn }) => dependsOn.includes(taskId)).length
  }
}

function shape(task: Task): object {
  const {
    status,
    dependsOn = [],
    waitingOn = 0,
    dependents = 0,
    retryCount = 0,
    pacingDeferCount = 0,
    nextRetryAt,
    leaseUntil,
    completedAt,
    claimId,
    startedAt,
  } = task
  return {
    status,
    dependsOn,
    waitingOn,
    dependents,
    retryCount,
    pacingDeferCount,
    nextRetryAt,
    leaseUntil,
    completedAt,
    claimId,
    started: startedAt !== undefined,
  }
}

function iso(time: ModelTask['nextRetryAt']): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString()
}

async function refused(call: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(call, (error: { code?: string }) => {
    assert.equal(error.code, code)
    return true
  })
}
