import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { defineJob, definePlugin, Unavailable } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { pino } from 'pino'
import type { JobParts } from '../../core/src/ports/jobs.ts'
import type { Store } from '../../storage/src/port.ts'
import { subject } from '../../storage/test/subject.ts'
import { jobRecords } from '../src/job-record.ts'
import { jobRunner } from '../src/runner.ts'
import { SparingLog } from '../src/sparing-log.ts'

const JOBS = 30

function logger() {
  const logged: { msg: string; omitted?: number; job?: string }[] = []
  return { logged, log: pino({}, { write: (line) => void logged.push(JSON.parse(line)) }) }
}

test('a store that does not answer is logged once for all jobs and polls, and its end ends that', { timeout: 60_000 }, async (t) => {
  const { store, dispose } = await subject({ clock: testClock() })
  t.after(dispose)
  await store.prepare([jobRecords])
  let isDown = false
  let refused = 0
  const refusing = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name) {
        const member = Reflect.get(of, name, of) as unknown
        if (typeof member !== 'function') return member
        return (...given: unknown[]) => {
          if (name === 'collection') return refusing(member.apply(of, given) as object)
          if (!isDown) return member.apply(of, given)
          refused++
          return Promise.reject(Unavailable({ message: 'The store does not answer.' }))
        }
      },
    })
  const { logged, log } = logger()
  const jobs = Array.from({ length: JOBS }, (_, i) => defineJob(`outage.job-${i}`, { everySeconds: 60, run: async () => {} }))
  const runner = jobRunner({
    plugins: [definePlugin({ id: 'outage', sdk: '^1.0.0', description: 'Has many jobs.', jobs })],
    store: refusing(store) as Store,
    log,
    tenants: async () => ['local'],
    dueTenants: async () => [],
    runIn: async () => undefined,
  } as JobParts)
  runner.start()
  await setTimeout(2_500)
  isDown = true
  while (refused < 3) await setTimeout(50)
  await setTimeout(1_200)
  isDown = false
  await runner.stop()
  const looks = logged.filter(({ msg }) => msg === 'a job could not be looked for, begun or ended')
  assert.equal(looks.length, 1, JSON.stringify(logged.map(({ msg }) => msg)))
})

test('what is not available is logged once a minute and subject, with the number of faults since; other faults each time', () => {
  const { logged, log } = logger()
  let now = 0
  const sparing = new SparingLog(log, () => now)
  const fail = (err: unknown, subject = 'a'): void => sparing.fault({ level: 'error', fields: { err }, message: 'failed', subject })
  const away = Unavailable({ message: 'The store does not answer.' })
  for (now = 0; now <= 60_000; now += 1_000) fail(away)
  fail(away, 'b')
  assert.deepEqual(
    logged.map(({ omitted }) => omitted),
    [undefined, 59, undefined],
  )
  for (let i = 0; i < 3; i++) fail(new Error('a mistake'))
  assert.equal(logged.length, 6)
})
