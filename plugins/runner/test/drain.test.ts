import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../src/operations/load-config.ts'
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
