import assert from 'node:assert/strict'
import { test } from 'node:test'
import mailbox from '@gateway/plugin-mailbox'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { startTestGateway } from '@gateway/testing'
import swarms from '../src/index.ts'

test('a stopped swarm is removed 180 days after its last change; one that is open is kept', async () => {
  await using gateway = await startTestGateway({ plugins: [trash, tasks, mailbox, swarms] })
  const plan = async () => (await gateway.call('swarm_plan', { repo: 'web', goal: 'x', children: [{ title: 'one' }] })).swarm.swarmId
  const [stopped, open] = [await plan(), await plan()]
  gateway.clock.advance(100 * 86_400)
  await gateway.call('swarm_stop', { swarmId: stopped })
  const left = async () => {
    await gateway.runJob('swarms.retention')
    return (await gateway.call('swarm_list', {})).swarms.map(({ swarmId }: { swarmId: string }) => swarmId).sort()
  }
  gateway.clock.advance(179 * 86_400)
  assert.deepEqual(await left(), [stopped, open].sort())
  gateway.clock.advance(2 * 86_400)
  assert.deepEqual(await left(), [open])
})
