import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { drained, Fleet, type Kind, kindOf, until } from './fleet.ts'

const ENDS: Readonly<Record<Kind, { readonly status: string; readonly error?: RegExp; readonly branch?: boolean }>> = {
  succeeds: { status: 'review', branch: true },
  fails: { status: 'pending', error: /^\[agent\] it ended with exit code 3/ },
  hangs: { status: 'pending', error: /^\[timeout\]/ },
  prints: { status: 'review', branch: true },
  forks: { status: 'review', branch: true },
  changesNothing: { status: 'review' },
  exceedsItsBudget: { status: 'pending', error: /^\[budget\] Spent 5 USD/ },
}

/** Lets runners do tasks of all kinds, and checks each end and what is left. */
export async function fleetStory(
  t: TestContext,
  { runners, tasks, repos }: { runners: number; tasks: number; repos: number },
): Promise<void> {
  await using gateway = await startTestGateway({ plugins: standardPlugins, listen: true })
  const fleet = new Fleet(t, gateway.url, { repos, config: { limits: { minutes: 0.25, logLines: 100 } } })
  const made = new Map<string, { readonly kind: Kind; readonly repo: string }>()
  for (let at = 0; at < tasks; at++) {
    const [kind, repo] = [kindOf(at), fleet.repos[at % repos] as string]
    const { task } = await gateway.call('tasks_create', { repo, title: `Task ${at}: ${kind}`, description: fleet.script(kind) })
    made.set(task.taskId, { kind, repo })
  }
  const processes = Array.from({ length: runners }, (_, at) => fleet.runner(`m${at + 1}`))
  const ended = async (taskId: string): Promise<boolean> => {
    const { status, retryCount } = (await gateway.call('tasks.get', { taskId })).task
    return status === 'review' || retryCount > 0
  }
  for (const taskId of made.keys()) await until(`${taskId} ends`, 300, () => ended(taskId))
  await Promise.all(processes.map(drained))

  const ran = fleet.ran()
  for (const [taskId, { kind, repo }] of made) {
    const { task } = await gateway.call('tasks.get', { taskId })
    const { status, error, branch = false } = ENDS[kind]
    assert.deepEqual([kind, task.status, ran.get(taskId)], [kind, status, 1])
    if (error) assert.match(task.lastError, error)
    if (kind === 'changesNothing') assert.equal(task.noopDispatch, true)
    if (branch) assert.equal(fleet.git(repo, 'show', `task/${taskId}:${taskId}.js`), taskId)
    if (kind === 'fails') assert.match(task.lastError, /The work is kept on the branch rescue\//)
    if (kind === 'prints') {
      const { logs } = await gateway.call('logs_list', { correlationId: taskId, limit: 1_000 })
      assert.ok(logs.length < 110, `${logs.length} lines`)
    }
  }
  fleet.checkNothingLeft()
  assert.equal((await gateway.call('runner_lease_list', {})).active, 0)
}
