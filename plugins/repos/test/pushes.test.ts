import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import webhooks from '@gateway/plugin-webhooks'
import { contribute, definePlugin, eventRecorder, type RecordedEvent } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import repos from '../src/index.ts'
import { needed, start } from './support.ts'

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

test('a push becomes the last push of a repo that only the list of managed repos has', async () => {
  await using started = await start({ CODE_HOSTING_WEBHOOK_SECRET: SECRET }, { plugins: [webhooks] })
  const { gateway, file, folder } = started
  await writeFile(file, JSON.stringify([{ name: 'listed', path: join(folder, 'listed') }]))
  const body = JSON.stringify({ ref: 'refs/heads/main', after: 'c0ffee', repository: { name: 'listed' } })
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  const headers = { 'x-webhook-signature-256': signature, 'x-webhook-event': 'push', 'x-webhook-delivery': 'd-1' }
  const answer = await gateway.inject({ method: 'POST', url: '/api/webhooks/inbound/code-hosting', headers, body })
  assert.deepEqual(answer.json().changed, ['listed'])
  const { cards } = await gateway.call('repos_card_list')
  assert.deepEqual(
    cards.map(({ repoName, tracked, lastPush }: { repoName: string; tracked: boolean; lastPush?: { commit: string } }) => [
      repoName,
      tracked,
      lastPush?.commit,
    ]),
    [['listed', true, 'c0ffee']],
  )
})
