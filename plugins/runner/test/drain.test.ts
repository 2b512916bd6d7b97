import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceClient } from '@gateway/sdk'
import { loadConfig } from '../src/operations/load-config.ts'
import { LogLines } from '../src/operations/log-lines.ts'
import { serve } from '../src/operations/serve.ts'
import { benches, clientOf } from './support.ts'

const bench = benches()

test('a runner that is drained while it asks for its slot claims no task and ends at once', async (t) => {
  const b = await bench(t)
  const [drain, giveBack] = [new AbortController(), new AbortController()]
  const client = clientOf(b)
  const { call, post } = client
  const asked: string[] = []
  client.call = async (tool, args, key) => {
    if (tool === 'runner_lease_acquire') drain.abort()
    return call(tool, args, key)
  }
  client.post = (path, body, key) => {
    asked.push(path)
    return post(path, body, key)
  }
  const output = { line: () => undefined, complain: (sentence: string) => assert.fail(sentence) }
  const config = await loadConfig(b.config, b.env)
  const served = serve({ client, config, env: b.env, output, drain: drain.signal, giveBack: giveBack.signal, once: false })
  const late = delay(10_000, 'it waits', { ref: false })
  assert.deepEqual([await Promise.race([served, late]), asked], [[], []])
})

test('each request of a runner has a limit that fits it, so that none holds up a slot for minutes', async (t) => {
  const b = await bench(t)
  await b.task('echo two > b.txt; echo said')
  const limits = new Map<string, number | undefined>()
  const limited = (ms?: number): ServiceClient => {
    const client = clientOf(b)
    const { call, post } = client
    client.within = limited
    client.call = (tool, args = {}, key) => {
      limits.set('leaseSeconds' in args ? `${tool} leaseSeconds` : tool, ms)
      return call(tool, args, key)
    }
    client.post = (path, body, key) => {
      limits.set(path, ms)
      return post(path, body, key)
    }
    return client
  }
  const { signal } = new AbortController()
  const output = { line: () => undefined, complain: (sentence: string) => assert.fail(sentence) }
  const config = await loadConfig(b.config, b.env)
  const [end] = await serve({ client: limited(), config, env: b.env, output, drain: signal, giveBack: signal, once: true })
  assert.equal(end?.kind, 'delivered')
  const expected = {
    '/api/tasks/claim-for-runner': 30_000,
    'tasks_update leaseSeconds': 20_000,
    'runner_lease_acquire leaseSeconds': 30_000,
    '/api/sessions/begin': 30_000,
    artifacts_register: 60_000,
    '/api/logs/batch': 60_000,
  }
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, limits.get(name)])), expected)
  assert.ok([...limits.values()].every((ms) => ms !== undefined && ms <= 60_000))
})

test('the end of a run waits a while for output that the gateway does not take, and drops it then', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const client = { post: () => new Promise(() => undefined) } as unknown as ServiceClient
  const logs = new LogLines(client, 'task-1', 10, [])
  logs.add('one')
  let isOver = false
  const ended = logs.end().then(() => (isOver = true))
  t.mock.timers.tick(19_999)
  await Promise.resolve()
  assert.equal(isOver, false)
  t.mock.timers.tick(1)
  await ended
})
