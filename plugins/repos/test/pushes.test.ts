import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import webhooks from '@gateway/plugin-webhooks'
import { contribute, definePlugin, eventRecorder, type RecordedEvent } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import repos from '../src/index.ts'
import { needed } from './support.ts'

const recorded: RecordedEvent[] = []
const recorder = definePlugin({
  id: 'recorder',
  sdk: '^1.0.0',
  description: 'Remembers.',
  contributes: [contribute(eventRecorder, { create: () => ({ record: async (told) => void recorded.push(told) }) })],
})

const SECRET = 'inbound-secret-0123456789'

test('a push that code hosting tells of becomes the last push on the card of a known repo, and of no other', async () => {
  await using gateway = await startTestGateway({
    plugins: [...needed, repos, webhooks, recorder],
    env: { CODE_HOSTING_WEBHOOK_SECRET: SECRET },
    listen: true,
  })
  let deliveries = 0
  const push = async (name: string, ref: string) => {
    const body = JSON.stringify({ ref, after: 'c0ffee', pusher: { name: 'ann' }, repository: { name } })
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
    const headers = { 'x-webhook-signature-256': signature, 'x-webhook-event': 'push', 'x-webhook-delivery': `d-${++deliveries}` }
    const answer = await fetch(`${gateway.url}/api/webhooks/inbound/code-hosting`, { method: 'POST', headers, body })
    return ((await answer.json()) as { changed: string[] }).changed
  }
  await gateway.call('repos_card_upsert', { repoName: 'web', description: 'The site.' })
  assert.deepEqual(await push('web', 'refs/heads/main'), ['web'])
  assert.deepEqual(await push('web', 'refs/tags/v1'), [])
  assert.deepEqual(await push('unheard-of', 'refs/heads/main'), [])
  const { cards } = await gateway.call('repos_card_list')
  const at = new Date(gateway.clock.now()).toISOString()
  const [card, ...others] = cards.filter(({ lastPush }: { lastPush?: object }) => lastPush)
  assert.deepEqual(
    [card.repoName, card.description, card.lastPush],
    ['web', 'The site.', { at, branch: 'main', commit: 'c0ffee', by: 'ann' }],
  )
  assert.deepEqual(others, [])
  const { payload } = recorded.at(-1) as RecordedEvent
  assert.deepEqual(payload, { repo: 'web', by: 'push', fields: ['lastPush'], branch: 'main', commit: 'c0ffee', at })
  assert.deepEqual(
    recorded.map(({ event, payload }) => [event, (payload as { by: string }).by]),
    [
      ['repos.changed', 'card'],
      ['repos.changed', 'push'],
    ],
  )
})
