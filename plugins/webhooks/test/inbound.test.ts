import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import outgoing from '@gateway/plugin-outgoing'
import { contribute, definePlugin } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { type CodePullRequest, type CodePush, codeHosting } from '../src/api.ts'
import plugin from '../src/index.ts'
import { signed } from './support.ts'

const SECRET = 'inbound-secret-0123456789'
const PATH = '/api/webhooks/inbound/code-hosting'

const heard: (CodePush | CodePullRequest)[] = []
let breaks = false
/** Stands for a family that uses what code hosting tells. */
const family = definePlugin({
  id: 'family',
  sdk: '^1.0.0',
  description: 'Hears.',
  contributes: [
    contribute(codeHosting, {
      create: () => ({
        async pushed(push) {
          if (breaks) throw new Error('the family is out of order')
          heard.push(push)
          return [`push ${push.branch}`]
        },
        async pullRequest(pullRequest) {
          heard.push(pullRequest)
          return []
        },
      }),
    }),
  ],
})

function start(config: object = {}, env: Record<string, string> = { CODE_HOSTING_WEBHOOK_SECRET: SECRET }): Promise<TestGateway> {
  heard.length = 0
  breaks = false
  return startTestGateway({ plugins: [outgoing, plugin, family], config: { webhooks: { ...config } }, env, listen: true })
}

const push = (more: object = {}) =>
  JSON.stringify({
    ref: 'refs/heads/main',
    after: 'c0ffee',
    pusher: { name: 'ann' },
    repository: { name: 'gateway', full_name: 'acme/gateway' },
    ...more,
  })

interface Post {
  readonly event?: string
  readonly delivery?: string
  readonly signature?: string | undefined
  readonly headers?: Record<string, string>
}
const post = (
  gateway: TestGateway,
  body: string,
  { event = 'push', delivery = 'd-1', signature = signed(body, SECRET), headers }: Post = {},
) =>
  fetch(`${gateway.url}${PATH}`, {
    method: 'POST',
    headers: headers ?? { 'x-webhook-signature-256': signature, 'x-webhook-event': event, 'x-webhook-delivery': delivery },
    body,
  })
const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code

test('a push that is rightly signed is handed to the families, kept and acknowledged', async () => {
  await using gateway = await start()
  const answer = await post(gateway, push())
  assert.equal(answer.status, 202)
  assert.deepEqual(await answer.json(), { deliveryId: 'd-1', duplicate: false, understood: true, changed: ['push main'] })
  const receivedAt = new Date(gateway.clock.now()).toISOString()
  assert.deepEqual(heard, [
    { repo: { name: 'gateway', fullName: 'acme/gateway' }, branch: 'main', commit: 'c0ffee', by: 'ann', receivedAt },
  ])
  const { received } = await gateway.call('webhooks.received')
  assert.deepEqual(received, [
    {
      inboundId: received[0].inboundId,
      deliveryId: 'd-1',
      event: 'push',
      receivedAt,
      understood: true,
      changed: ['push main'],
      body: push(),
    },
  ])
})

test('a host that sends the secret itself and names the kind in the body is understood, and a wrong secret is refused', async () => {
  await using gateway = await start()
  const project = { name: 'Gateway', path_with_namespace: 'acme/gateway' }
  const body = JSON.stringify({ object_kind: 'push', ref: 'refs/heads/main', after: 'c0ffee', user_name: 'ann', project })
  const headers = { 'x-gitlab-token': SECRET, 'x-gitlab-event': 'Push Hook', 'idempotency-key': 'd-9' }
  assert.equal((await post(gateway, body, { headers: { ...headers, 'x-gitlab-token': `${SECRET}x` } })).status, 401)
  const { 'x-gitlab-token': _, ...unsigned } = headers
  assert.equal((await post(gateway, body, { headers: unsigned })).status, 401)
  const answer = await (await post(gateway, body, { headers })).json()
  assert.deepEqual(answer, { deliveryId: 'd-9', duplicate: false, understood: true, changed: ['push main'] })
  assert.equal(((await (await post(gateway, body, { headers })).json()) as { duplicate: boolean }).duplicate, true)
  const [{ event }] = (await gateway.call('webhooks.received')).received
  assert.equal(event, 'Push_Hook')
})

test('a pull request comes to the families as what it is', async () => {
  await using gateway = await start()
  const pull_request = {
    html_url: 'https://code.example/acme/gateway/pull/7',
    number: 7,
    title: 'Webhooks',
    body: null,
    merged: true,
    state: 'closed',
    head: { ref: 'task-1', sha: 'c0ffee' },
    base: { ref: 'main' },
  }
  const body = JSON.stringify({ action: 'closed', pull_request, repository: { name: 'gateway' } })
  assert.equal((await post(gateway, body, { event: 'pull_request' })).status, 202)
  assert.deepEqual(heard, [
    {
      repo: { name: 'gateway', fullName: 'gateway' },
      number: 7,
      url: 'https://code.example/acme/gateway/pull/7',
      state: 'merged',
      branch: 'task-1',
      base: 'main',
      isInside: true,
      commit: 'c0ffee',
      title: 'Webhooks',
      text: '',
      receivedAt: new Date(gateway.clock.now()).toISOString(),
    },
  ])
})

test('the same delivery changes something once, however often and however close together it comes', async () => {
  await using gateway = await start()
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(gateway, push())))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202])
  const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { duplicate: boolean; changed: string[] }[]
  assert.equal(bodies.filter(({ duplicate }) => !duplicate).length, 1)
  assert.ok(bodies.every(({ changed }) => changed[0] === 'push main'))
  assert.equal(heard.length, 1)
})

test('the names that the large code hosts have for the headers are taken as well', async () => {
  await using gateway = await start()
  const body = push()
  const headers = { 'x-hub-signature-256': signed(body, SECRET), 'x-github-event': 'push', 'x-github-delivery': 'd-2' }
  assert.equal((await post(gateway, body, { headers })).status, 202)
  assert.equal(heard.length, 1)
})

for (const [what, change] of [
  ['without a signature', () => ({ headers: { 'x-webhook-event': 'push', 'x-webhook-delivery': 'd-1' } })],
  ['signed with another secret', () => ({ signature: signed(push(), 'another-secret-0123456789') })],
  ['signed for another body', () => ({ signature: signed(push({ after: 'bad' }), SECRET) })],
  ['with half a signature', () => ({ signature: signed(push(), SECRET).slice(0, -2) })],
] as const) {
  test(`a webhook ${what} is refused with 401, and nothing of it is kept`, async () => {
    await using gateway = await start()
    const answer = await post(gateway, push(), change())
    assert.equal(answer.status, 401)
    assert.equal(await codeOf(answer), 'WEBHOOK_SIGNATURE_INVALID')
    assert.deepEqual(heard, [])
    assert.deepEqual((await gateway.call('webhooks.received')).received, [])
  })
}

test('without the secret every webhook is refused with 503, which names the setting', async () => {
  await using gateway = await start({}, {})
  const answer = await post(gateway, push())
  assert.equal(answer.status, 503)
  const { code, details } = (await answer.json()) as { code: string; details: { setting: string } }
  assert.deepEqual([code, details.setting], ['UNAVAILABLE', 'CODE_HOSTING_WEBHOOK_SECRET'])
})

test('whatever else is rightly signed is acknowledged and kept', async () => {
  await using gateway = await start()
  const body = JSON.stringify({ zen: 'Keep it logically awesome.' })
  const answer = await post(gateway, body, { event: 'ping' })
  assert.deepEqual(await answer.json(), { deliveryId: 'd-1', duplicate: false, understood: false, changed: [] })
  const odd = await post(gateway, JSON.stringify({ ref: 7, repository: { name: 'gateway' } }), { delivery: 'd-2' })
  assert.equal(odd.status, 202)
  assert.deepEqual(
    (await gateway.call('webhooks.received')).received.map(({ event }: { event: string }) => event),
    ['push', 'ping'],
  )
})

test('a webhook that is sent as a form is read from its field payload, signed over the form as it came', async () => {
  await using gateway = await start()
  const form = (fields: Record<string, string>, type = 'application/x-www-form-urlencoded') => {
    const body = new URLSearchParams(fields).toString()
    const signature = {
      'x-webhook-signature-256': signed(body, SECRET),
      'x-webhook-event': 'push',
      'x-webhook-delivery': `d-${body.length}`,
    }
    return post(gateway, body, { headers: { 'content-type': type, ...signature } })
  }
  const pusher = { name: 'Ann Öz + 100 % & co' }
  const answer = await form({ payload: push({ pusher }), other: 'x' })
  assert.equal(answer.status, 202, await answer.clone().text())
  assert.deepEqual([heard[0]?.repo.name, (heard[0] as CodePush).branch, (heard[0] as CodePush).by], ['gateway', 'main', pusher.name])
  assert.equal((await gateway.call('webhooks.received')).received[0].body, push({ pusher }))
  assert.equal((await form({ payload: push() }, 'Application/X-WWW-Form-Urlencoded; charset=utf-8')).status, 202)

  const without = await form({ paylod: push() })
  const { details, error } = (await without.json()) as { details: { field: string }; error: string }
  assert.deepEqual([without.status, details.field], [400, 'payload'])
  assert.match(error, /`payload` is required.*got the fields paylod/)
  const broken = await form({ payload: '{"ref":' })
  assert.match(((await broken.json()) as { error: string }).error, /must be JSON, or a form with JSON in its field payload/)
  assert.equal(heard.length, 2)
})

test('a form that is signed over its payload alone is refused', async () => {
  await using gateway = await start()
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-webhook-signature-256': signed(push(), SECRET),
    'x-webhook-event': 'push',
    'x-webhook-delivery': 'd-1',
  }
  assert.equal((await post(gateway, new URLSearchParams({ payload: push() }).toString(), { headers })).status, 401)
  assert.deepEqual(heard, [])
})

test('a body that is no JSON, or has no delivery id, is refused with a reason that names it', async () => {
  await using gateway = await start()
  const body = '{"ref":'
  const broken = await post(gateway, body, { signature: signed(body, SECRET) })
  assert.deepEqual([broken.status, ((await broken.json()) as { details: { field: string } }).details.field], [400, 'body'])
  const nameless = await post(gateway, push(), {
    headers: { 'x-webhook-signature-256': signed(push(), SECRET), 'x-webhook-event': 'push' },
  })
  assert.equal(((await nameless.json()) as { details: { field: string } }).details.field, 'x-webhook-delivery')
})

test('a body beyond the limit is refused, and not read to its end', async () => {
  await using gateway = await start({ maxInboundBytes: 2_000 })
  const body = push({ padding: 'x'.repeat(5_000) })
  const answer = await post(gateway, body)
  assert.equal(answer.status, 413)
  assert.equal(await codeOf(answer), 'PAYLOAD_TOO_LARGE')
})

test('a family that fails has the webhook refused, so that it is sent again, and nothing half done stays', async () => {
  await using gateway = await start()
  breaks = true
  assert.equal((await post(gateway, push())).status, 500)
  assert.deepEqual((await gateway.call('webhooks.received')).received, [])
  breaks = false
  assert.equal((await post(gateway, push())).status, 202)
  assert.equal(heard.length, 1)
})

test('so many are read at the same time, and one more is told to come again', async () => {
  await using gateway = await start({ inboundAtOnce: 1 })
  const { port, hostname } = new URL(gateway.url)
  const slow = connect(Number(port), hostname)
  try {
    slow.write(`POST ${PATH} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{`)
    for (;;) {
      const answer = await post(gateway, push(), { delivery: `d-${Math.random()}` })
      await answer.text()
      if (answer.status !== 503) continue
      assert.equal(answer.headers.get('retry-after'), '5')
      break
    }
  } finally {
    slow.destroy()
  }
})

test('no other way of the gateway opens without a credential', async () => {
  await using gateway = await start()
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  const listed = await fetch(`${gateway.url}${PATH}`, { headers })
  assert.equal(listed.status, 401)
})

test('a signed body that comes again under another delivery id or event, neither of which is signed, is a duplicate', async () => {
  await using gateway = await start()
  assert.equal((await post(gateway, push())).status, 202)
  for (const again of [{ delivery: 'd-2' }, { event: 'pull_request', delivery: 'd-3' }, { event: 'ping' }]) {
    const answer = await post(gateway, push(), again)
    assert.equal(answer.status, 202)
    assert.deepEqual(await answer.json(), {
      deliveryId: again.delivery ?? 'd-1',
      duplicate: true,
      understood: true,
      changed: ['push main'],
    })
  }
  const other = await post(gateway, push({ after: 'beef' }), { delivery: 'd-4' })
  assert.equal(((await other.json()) as { duplicate: boolean }).duplicate, false)
  assert.equal(heard.length, 2)
})

test('of many copies of one signed body at once, each under another delivery id, one is made use of', async () => {
  await using gateway = await start()
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => post(gateway, push(), { delivery: `copy-${n}` })))
  const received = (await Promise.all(answers.map((answer) => answer.json()))) as { duplicate: boolean }[]
  assert.equal(received.filter(({ duplicate }) => !duplicate).length, 1)
  assert.equal(heard.length, 1)
})
