import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { keptKeys } from './kept-keys.ts'
import { notesPlugin, seen } from './plugin.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [notesPlugin] })
})
after(() => gateway.stop())

const call = (name: string, body: object, key?: string, headers: Record<string, string> = {}) =>
  gateway.inject({
    method: 'POST',
    url: `/api/tools/${name}`,
    headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
    body,
  })
const countOf = async (text: string): Promise<number> =>
  ((await gateway.documents()).notes ?? []).filter((note) => (note as { text: string }).text === text).length

test('the argument idempotencyKey is the key too, and one that differs from the header is refused', async () => {
  const first = await call('notes_add', { text: 'a', idempotencyKey: 'a-1' })
  const again = await call('notes_add', { text: 'a' }, 'a-1')
  assert.deepEqual([again.json(), again.headers['idempotency-replayed']], [first.json(), 'true'])
  const differs = await call('notes_add', { text: 'a', idempotencyKey: 'a-1' }, 'a-2')
  assert.deepEqual([differs.status, differs.json().details.field], [400, 'idempotencyKey'])
  assert.equal(await countOf('a'), 1)
})

test('a key has 1 to 200 characters', async () => {
  assert.equal((await call('notes_add', { text: 'b' }, 'k'.repeat(200))).status, 200)
  for (const key of ['', 'k'.repeat(201)]) {
    const { status, ...answer } = await call('notes_add', { text: 'b' }, key)
    assert.deepEqual([status, answer.json().details.field], [400, 'Idempotency-Key'])
  }
})

test('a key beyond ASCII is one key in a header, of UTF-8 or of one byte for each character, and as an argument', async () => {
  const first = await call('notes_add', { text: 'é', idempotencyKey: 'clé-é' })
  for (const encoding of ['utf8', 'latin1'] as const) {
    const again = await call('notes_add', { text: 'é' }, Buffer.from('clé-é', encoding).toString('latin1'))
    assert.deepEqual([again.json(), again.headers['idempotency-replayed']], [first.json(), 'true'], encoding)
  }
  assert.equal(await countOf('é'), 1)
})

test('a schema error does not use up the key', async () => {
  assert.equal((await call('notes_add', {}, 'c-1')).status, 400)
  assert.equal((await call('notes_add', { text: 'c' }, 'c-1')).status, 200)
})

test('a call with several commits becomes one: it reads its own writes, and a fault leaves nothing and does not use up the key', async () => {
  assert.deepEqual((await call('notes_twice', { text: 'd' }, 'd-1')).json(), { found: true, count: 2 })
  const runs = seen.runs
  assert.equal((await call('notes_twice', { text: 'fault' }, 'd-2')).status, 500)
  assert.equal(await countOf('fault'), 0)
  assert.equal((await call('notes_twice', { text: 'fault' }, 'd-2')).status, 500)
  assert.equal(seen.runs, runs + 2)
})

test('a refusal by the tool is kept and replayed', async () => {
  const runs = seen.runs
  const first = await call('notes_twice', { text: 'refuse' }, 'e-1')
  const again = await call('notes_twice', { text: 'refuse' }, 'e-1')
  assert.deepEqual([first.status, again.status, again.headers['idempotency-replayed']], [404, 404, 'true'])
  assert.equal(again.json().error, first.json().error)
  assert.equal(seen.runs, runs + 1)
})

test('a call that waits for something outside holds up no other writer, and is replayed all the same', async () => {
  let goOn = (): void => {}
  seen.waiting = new Promise<void>((resolve) => (goOn = resolve))
  const first = call('notes_wait', { text: 'f' }, 'f-1')
  assert.equal((await call('notes_add', { text: 'g' })).status, 200)
  const busy = await call('notes_wait', { text: 'f' }, 'f-1')
  assert.deepEqual(
    [busy.status, busy.json().code, busy.headers['retry-after'], busy.json().details.retryAfterSeconds],
    [409, 'IDEMPOTENCY_IN_PROGRESS', '1', 1],
  )
  goOn()
  assert.deepEqual((await first).json(), { count: 2 })
  assert.deepEqual((await call('notes_wait', { text: 'f' }, 'f-1')).json(), { count: 2 })
})

test('a tool with effects outside runs once for a key', async () => {
  seen.waiting = Promise.resolve()
  const first = await call('notes_send', { text: 'h' }, 'h-1')
  assert.deepEqual((await call('notes_send', { text: 'h' }, 'h-1')).json(), first.json())
  assert.equal((await call('notes_send', { text: 'other' }, 'h-1')).json().code, 'IDEMPOTENCY_KEY_REUSED')
})

test('two calls with one key at the same moment have one effect', async () => {
  const answers = await Promise.all([call('notes_add', { text: 'i' }, 'i-1'), call('notes_add', { text: 'i' }, 'i-1')])
  assert.equal(await countOf('i'), 1)
  assert.ok(answers.every(({ status }) => status === 200 || status === 409))
})

test('a key is its caller’s and its tool’s', async () => {
  const as = { id: 'somebody', kind: 'user', role: 'owner', tenantId: 'acme' } as const
  await call('notes_add', { text: 'j' }, 'j-1')
  assert.equal((await call('notes_twice', { text: 'k' }, 'j-1')).status, 200)
  await gateway.call('notes_add', { text: 'j', idempotencyKey: 'j-1' }, { as })
  assert.equal((await gateway.documents('acme')).notes?.length, 1)
})

test('a secret that is shown once is not stored: the replay says so', async () => {
  assert.equal((await call('notes_key', { text: 'l' }, 'l-1')).json().apiKey, 'gw_live_very-secret')
  const again = await call('notes_key', { text: 'l' }, 'l-1')
  assert.equal(again.headers['idempotency-omitted'], 'apiKey')
  assert.match(again.json().apiKey, /not stored/)
  assert.doesNotMatch(JSON.stringify(keptKeys(gateway.dataDir)), /very-secret/)
})

test('a member that its schema marks as secret is not stored either, wherever it is', async () => {
  const first = (await call('notes_invite', { text: 'ada' }, 'o-1')).json()
  const again = await call('notes_invite', { text: 'ada' }, 'o-1')
  assert.equal(again.headers['idempotency-omitted'], 'code, links[0].path, owner.ada')
  const { code, links, owner, ...rest } = again.json()
  for (const left of [code, links[0].path, owner.ada]) assert.match(left, /not stored/)
  assert.deepEqual({ code: first.code, links: first.links, owner: first.owner, ...rest }, first)
  assert.equal(links[0].at, 'now')
  assert.doesNotMatch(JSON.stringify(keptKeys(gateway.dataDir)), /very-secret/)
})

test('a path of any characters and any length fits the header that names it', async () => {
  for (const [text, expected] of [
    ['ключ, 🔑\r\n', 'code, links[0].path, owner.%D0%BA%D0%BB%D1%8E%D1%87%2C %F0%9F%94%91%0D%0A'],
    ['ж'.repeat(1_000), 'code, links[0].path, ...'],
  ] as const) {
    await call('notes_invite', { text }, `p-${text.length}`)
    const again = await call('notes_invite', { text }, `p-${text.length}`)
    assert.deepEqual([again.status, again.headers['idempotency-omitted']], [200, expected], again.body)
  }
})

test('of a large answer the ids are kept', async () => {
  const text = 'x'.repeat(50_000)
  const { note } = (await call('notes_add', { text }, 'm-1')).json()
  const again = await call('notes_add', { text }, 'm-1')
  assert.equal(again.json().note.noteId, note.noteId)
  assert.ok(again.body.length < 1_000)
  assert.equal(again.headers['idempotency-omitted'], 'long texts')
})

test('a tool restores the long texts of its replay, and nothing else; what it has lost stays as it was kept', async () => {
  const text = 'y'.repeat(50_000)
  await call('notes_take', { text }, 'take-1')
  const { runs } = seen
  const again = await call('notes_take', { text }, 'take-1')
  assert.deepEqual(
    [again.json().text, again.headers['idempotency-omitted'], again.headers['idempotency-replayed']],
    [text, 'apiKey', 'true'],
  )
  assert.doesNotMatch(again.body, /very-secret/)
  for (const word of ['lost', 'away']) await call('notes_take', { text: word.repeat(10_000) }, word)
  const lost = await call('notes_take', { text: 'lost'.repeat(10_000) }, 'lost')
  assert.deepEqual([lost.status, lost.json().noteId, lost.headers['idempotency-omitted']], [200, 'lost', 'apiKey, long texts'])
  assert.equal((await call('notes_take', { text: 'away'.repeat(10_000) }, 'away')).status, 503)
  assert.equal(seen.runs, runs + 2)
  const short = await call('notes_take', { text: 'y' }, 'take-2')
  assert.equal((await call('notes_take', { text: 'y' }, 'take-2')).json().text, short.json().text)
})

test('a replay is in the audit trail as one', async () => {
  const rows = (await gateway.audit()).filter(({ tool }) => tool === 'notes_key')
  assert.deepEqual(
    rows.map(({ decision }) => decision),
    ['ok', 'replayed'],
  )
})

test('a key is forgotten after 24 hours, and outlives a restart before', async () => {
  const first = await call('notes_add', { text: 'n' }, 'n-1')
  await gateway.restart()
  assert.deepEqual((await call('notes_add', { text: 'n' }, 'n-1')).json(), first.json())
  gateway.clock.advance(24 * 3_600)
  assert.equal((await call('notes_add', { text: 'other' }, 'n-1')).status, 200)
  assert.equal(await countOf('other'), 1)
})
