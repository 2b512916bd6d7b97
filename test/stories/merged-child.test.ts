import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { alerts, audited, events, outside, read, send, shown } from './support.ts'

const SECRET = 'a secret of the code hosting'
const PULL = 'https://code.example.com/acme/web/pull/7'
const worker = { as: { kind: 'api-key', id: 'key:k5', role: 'member', label: 'm2/agent-5' } } as const

/** A signed webhook of code hosting about the pull request. */
async function tell(gateway: TestGateway, delivery: string, state: object): Promise<readonly string[]> {
  const body = JSON.stringify({
    repository: { name: 'web', full_name: 'acme/web' },
    pull_request: { html_url: PULL, number: 7, title: 'Parser', body: '', head: { ref: 'task/parser' }, base: { ref: 'main' }, ...state },
  })
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  const headers = { 'x-webhook-signature-256': signature, 'x-webhook-event': 'pull_request', 'x-webhook-delivery': delivery }
  const answer = await gateway.inject({ method: 'POST', url: '/api/webhooks/inbound/code-hosting', headers, body })
  assert.equal(answer.status, 202)
  return answer.json().changed
}

test('the first child of a swarm ends through a merged pull request, which starts the second', async () => {
  await using world = await outside('')
  await using gateway = await startTestGateway({
    plugins: standardPlugins,
    config: world.config,
    env: { CODE_HOSTING_WEBHOOK_SECRET: SECRET },
  })
  const children = [{ title: 'Write the parser' }, { title: 'Use the parser', dependsOnIndexes: [0] }]
  const { swarm } = (await send(gateway, 'POST', '/api/swarms', { repo: 'web', goal: 'A parser', children })).json()
  const { swarmId } = swarm
  const claim = async () => (await gateway.call('tasks_claim', { repo: 'web' }, worker)).task
  const page = async () => (await shown(gateway, '/swarms/:swarmId', 'children', { swarmId })).map(({ Status }) => Status)
  const attention = async () => (await read(gateway, '/api/attention')).items.map(({ kind }: { kind: string }) => kind)

  // It waits for an approval, which a person hears of after an hour.
  assert.equal(await claim(), undefined)
  assert.deepEqual([await attention(), await alerts(gateway)], [['swarm-approval'], []])
  gateway.clock.advance(3_601)
  assert.deepEqual(await alerts(gateway), ['Swarm “A parser” waits for an approval'])
  assert.match(world.chats().join(), /waits for an approval/)
  await gateway.call('swarm_approve', { swarmId })

  const first = await claim()
  assert.deepEqual([first.title, await claim()], ['Write the parser', undefined])
  await gateway.call('tasks_update', { taskId: first.taskId, claimId: first.claimId, status: 'review', prUrl: PULL }, worker)
  assert.deepEqual([await attention(), await page(), await claim()], [['review'], ['review', 'pending'], undefined])
  gateway.clock.advance(86_401)
  assert.ok((await alerts(gateway)).includes('Task “Write the parser” is in review'))

  assert.equal((await tell(gateway, 'd-1', { state: 'open' })).includes(first.taskId), false)
  const changed = await tell(gateway, 'd-2', { state: 'closed', merged: true })
  assert.ok(changed.includes(first.taskId), changed.join())
  assert.deepEqual(await tell(gateway, 'd-2', { state: 'closed', merged: true }), changed)
  assert.deepEqual([await attention(), await page()], [[], ['done', 'pending']])

  const second = await claim()
  assert.equal(second.title, 'Use the parser')
  await gateway.call('tasks_update', { taskId: second.taskId, claimId: second.claimId, status: 'done' }, worker)
  assert.equal((await read(gateway, `/api/swarms/${swarmId}`)).swarm.status, 'done')
  const [record] = await shown(gateway, '/swarms/:swarmId', 'swarm', { swarmId })
  assert.deepEqual([record?.Status, record?.['Approved by']], ['done', 'operator'])

  await gateway.runJob('tasks.claim-news')
  const moves = (await events(gateway, 'tasks.')).map(({ event, data }) => {
    const { title, status } = data as { title: string; status: string }
    return [event, title, status]
  })
  assert.deepEqual(
    moves.filter(([, title]) => title === 'Use the parser').map(([event, , status]) => `${event} ${status}`),
    ['tasks.created paused', 'tasks.moved pending', 'tasks.claimed working', 'tasks.moved done'],
  )
  assert.deepEqual(
    (await events(gateway, 'swarms.')).map(({ event }) => event),
    ['swarms.planned', 'swarms.approved'],
  )
  assert.deepEqual((await audited(gateway, 'swarm_approve'))[0], ['operator', { swarmId }])
  assert.deepEqual(await audited(gateway, 'tasks_update'), [
    ['m2/agent-5', { taskId: first.taskId, claimId: first.claimId }],
    ['m2/agent-5', { taskId: second.taskId, claimId: second.claimId }],
  ])
})
