import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ring, start, type TestGateway } from './support.ts'

interface Sent {
  readonly id?: string
  readonly event: string
  readonly data: { readonly data?: { readonly text: string } }
}

async function open(gateway: TestGateway, query = '', headers: Record<string, string> = {}) {
  const disconnect = new AbortController()
  const answer = await fetch(`${gateway.url}/api/events${query}`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: disconnect.signal,
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function next(): Promise<Sent | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const fields = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        const of = (name: string) => fields.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const [id, event, data] = [of('id'), of('event'), of('data')]
        if (event !== undefined && data !== undefined) return { ...(id !== undefined && { id }), event, data: JSON.parse(data) }
        continue
      }
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) return undefined
      text += value
    }
  }
  const texts = async (count: number) => {
    const all = []
    for (let i = 0; i < count; i++) all.push((await next())?.data.data?.text)
    return all
  }
  return { status: answer.status, type: answer.headers.get('content-type'), next, texts, close: () => disconnect.abort() }
}

test('a stream sends what is kept, then each event as it is committed, with its cursor as id', async () => {
  await using gateway = await start({}, { listen: true })
  await ring(gateway, ['a', 'b'])
  const stream = await open(gateway)
  assert.deepEqual([stream.status, stream.type, await stream.texts(2)], [200, 'text/event-stream', ['a', 'b']])
  await ring(gateway, ['c'])
  const { id, event, data } = (await stream.next()) as Sent
  assert.deepEqual([id, event, data.data], ['3', 'message', { text: 'c' }])
  stream.close()
})

test('a client that comes again with Last-Event-ID misses nothing and gets nothing twice', async () => {
  await using gateway = await start({}, { listen: true })
  await ring(gateway, ['a', 'b'])
  const stream = await open(gateway)
  const { id } = (await stream.next()) as Sent
  stream.close()
  await ring(gateway, ['c'])
  const again = await open(gateway, '?since=0', { 'last-event-id': id as string })
  assert.deepEqual(await again.texts(2), ['b', 'c'])
  again.close()
})

test('latest and names of events narrow the stream', async () => {
  await using gateway = await start({}, { listen: true })
  await ring(gateway, ['old'], { toll: true })
  const stream = await open(gateway, '?since=latest&events=bell.tolled')
  await ring(gateway, ['rung'])
  await ring(gateway, ['tolled'], { toll: true })
  assert.deepEqual(await stream.texts(1), ['tolled'])
  stream.close()
})

test('a long backlog reaches the client whole', async () => {
  await using gateway = await start({}, { listen: true })
  const all = Array.from({ length: 450 }, (_, i) => `${i} ${'x'.repeat(500)}`)
  await ring(gateway, all)
  const stream = await open(gateway)
  assert.deepEqual(await stream.texts(450), all)
  stream.close()
})

test('a stream shows a tenant its own events, ends with its tenant, and refuses a bad cursor before it begins', async () => {
  await using gateway = await start({}, { listen: true })
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'viewer', environment: 'live' })
  const stream = await open(gateway, '', { 'x-api-key': apiKey })
  await ring(gateway, ['other'])
  await ring(gateway, ['mine'], {}, { as: { tenantId: 'acme', role: 'member' } })
  assert.deepEqual(await stream.texts(1), ['mine'])
  assert.equal((await open(gateway, '?since=99')).status, 400)
  assert.equal((await open(gateway, '', { 'x-api-key': 'gw_live_wrong' })).status, 401)
  await gateway.tenants.suspend('acme')
  assert.equal(await stream.next(), undefined)
})

test('a client that removed events passed by is told of the gap', async () => {
  await using gateway = await start({ kept: 100 }, { listen: true })
  await ring(
    gateway,
    Array.from({ length: 150 }, (_, i) => `${i}`),
  )
  const first = await open(gateway)
  await first.next()
  first.close()
  await gateway.runJob('events.retention')
  const stream = await open(gateway, '', { 'last-event-id': '1' })
  assert.deepEqual(await stream.next(), { event: 'gap', data: { since: '1' } })
  assert.deepEqual(await stream.texts(1), ['50'])
  stream.close()
  const early = await open(gateway, '', { 'last-event-id': '0' })
  assert.deepEqual(await early.next(), { event: 'gap', data: { since: '0' } })
  early.close()
})
