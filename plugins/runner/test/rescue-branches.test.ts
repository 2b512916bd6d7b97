import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '@gateway/cli'
import type { ServiceClient } from '@gateway/sdk'
import runner from '../src/index.ts'
import { loadConfig } from '../src/operations/load-config.ts'
import { dropRescues } from '../src/operations/rescue-branches.ts'
import { benches } from './support.ts'

const bench = benches()
const DAY = 86_400_000

test('a branch that keeps work is shown, and removed when its task is done and it is older than rescueDays', async (t) => {
  const b = await bench(t, { rescueDays: 3 })
  const [done, open] = [await b.task('true'), await b.task('true')]
  await b.gateway.call('tasks_update', { taskId: done, status: 'done' })
  const kept = [`rescue/${done}-0123abcd`, `rescue/task-${done}-89abcdef`, `rescue/${open}-0123abcd`, 'rescue/mine']
  for (const branch of kept) b.git('branch', branch)
  const client = {
    get: async (url: string) => (await b.gateway.inject({ method: 'GET', url })).json(),
  } as unknown as ServiceClient
  const config = await loadConfig(b.config, b.env)
  const dropped = async (days: number): Promise<string[]> =>
    (await dropRescues(client, config, new Date(Date.now() + days * DAY))).map(({ branch }) => branch)
  const argv = ['runner', 'status', '--config', b.config]
  const { stdout } = await runCommand({ plugins: async () => [runner], argv, env: b.env })
  assert.match(stdout, new RegExp(`kept work \\(3\\) [^]*rescue/${open}-0123abcd +${b.name} `))
  assert.deepEqual(await dropped(2), [])
  assert.deepEqual((await dropped(4)).sort(), kept.slice(0, 2))
  assert.deepEqual(b.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/rescue/').split('\n'), ['rescue/mine', kept[2]])
})
