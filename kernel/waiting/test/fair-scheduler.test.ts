import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FairScheduler } from '../src/fair-scheduler.ts'

/** Runs calls of one tenant, each with a number of stretches, and logs the owner of each turn. */
async function run(scheduler: FairScheduler, tenantId: string, calls: number, stretches: number, log: string[]): Promise<void> {
  const call = async (name: string): Promise<void> => {
    const { signal } = new AbortController()
    for (let n = 0; n < stretches; n++) await scheduler.take(tenantId, signal, async () => void log.push(name))
  }
  await Promise.all(Array.from({ length: calls }, (_, i) => call(`${tenantId}${i}`)))
}

describe('turns of work that no index helps', () => {
  it('a few calls of a tenant take turns with each other, the later ones wait until one is done', async () => {
    const log: string[] = []
    await run(new FairScheduler(), 'a', 20, 6, log)
    assert.equal(log.length, 120)
    const left = new Map<string, number>()
    for (const name of log) {
      const rest = (left.get(name) ?? 6) - 1
      if (rest > 0) left.set(name, rest)
      else left.delete(name)
      assert.ok(left.size <= 5, `${left.size} calls are begun and not done`)
    }
  })

  it('tenants have turns of equal number, however many calls each has', async () => {
    const log: string[] = []
    const scheduler = new FairScheduler()
    await Promise.all([run(scheduler, 'a', 50, 4, log), run(scheduler, 'b', 1, 4, log)])
    assert.ok(log.lastIndexOf('b0') < 20, `the only call of b was done after ${log.lastIndexOf('b0')} turns`)
  })

  it('who is stopped before its turn comes does nothing', async () => {
    const scheduler = new FairScheduler()
    const stopped = new AbortController()
    let done = 0
    const first = scheduler.take('a', new AbortController().signal, async () => {
      stopped.abort(new Error('gone'))
    })
    const second = scheduler.take('a', stopped.signal, async () => void done++)
    await first
    await assert.rejects(second, /gone/)
    assert.equal(done, 0)
  })
})
