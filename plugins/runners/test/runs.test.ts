import assert from 'node:assert/strict'
import { test } from 'node:test'
import logs from '@gateway/plugin-logs'
import runners from '../src/index.ts'
import { heartbeat, held, needed, start } from './support.ts'

test('runs at work and their output are shown by lane, until the task has ended', async () => {
  await using gateway = await start({ plugins: [...needed, logs, runners] })
  const begin = async (title: string, executionLane: string, holder: string): Promise<string> => {
    const { taskId } = (await gateway.call('tasks_create', { repo: 'web', title })).task
    const { claimId } = (await gateway.call('tasks_claim', { claimedBy: holder, taskId })).task
    await gateway.call('tasks_update', { taskId, claimId, executionLane })
    await heartbeat(gateway, await held(gateway, holder, { machine: 'm1' }), { taskId })
    await gateway.call('logs_record', { correlationId: taskId, service: 'agent', message: `${title} begins` })
    gateway.clock.advance(1)
    return taskId
  }
  const mend = await begin('Mend', 'primary', 'm1/primary/1')
  const sort = await begin('Sort', 'agentic-fallback', 'm1/agentic-fallback/1')
  const get = async (path: string) => (await gateway.inject({ method: 'GET', url: `/api/runners/${path}` })).json()
  const tasks = ({ runs }: { runs: { taskId: string }[] }) => runs.map(({ taskId }) => taskId)
  assert.deepEqual(tasks(await get('runs')), [sort, mend])
  assert.deepEqual(tasks(await get('runs?lane=primary')), [mend])
  const { lines } = await get('output?lane=agentic-fallback')
  assert.deepEqual(
    lines.map(({ message, lane, taskId }: Record<string, string>) => [message, lane, taskId]),
    [['Sort begins', 'agentic-fallback', sort]],
  )
  assert.equal((await get('output')).lines.length, 2)
  await gateway.call('tasks_update', { taskId: mend, status: 'review' })
  assert.deepEqual(tasks(await get('runs')), [sort])
  assert.equal((await gateway.inject({ method: 'GET', url: '/api/runners/runs?lane=none' })).status, 400)
})
