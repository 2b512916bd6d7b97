import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersJson, chatStream, mockProvider, streams } from './mock-provider.ts'
import { post, provider, start, type TestGateway } from './support.ts'

const CHARACTERS_A_TOKEN = 4
const WORDS = Array.from({ length: 400 }, (_, n) => `${String(n).padStart(39, 'x')} `)
const ASKED = { model: 'model-s', messages: [{ role: 'user', content: 'Hi' }] }

interface Kept {
  readonly runningNanos: number
  readonly pending: { readonly outputTokens: number }
}
const kept = async (gateway: TestGateway): Promise<readonly Kept[]> =>
  ((await gateway.documents())['budgets.reservations'] as Kept[] | undefined) ?? []

test('while an answer streams, its cost on record is ahead of what the client has, by at most a half', async () => {
  await using up = await mockProvider(streams(chatStream(WORDS).slice(0, WORDS.length), { open: true }))
  await using gateway = await start({ api: provider('openai', up.baseUrl) }, { monthlyCapUsd: 100 })
  const leaving = new AbortController()
  const body = { ...ASKED, max_tokens: 32_000, stream: true }
  const response = await post(gateway, 'chat/completions', body, { signal: leaving.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let received = 0
  let unread = ''
  while (received < WORDS.length) {
    unread += (await reader?.read())?.value ?? ''
    const events = unread.split('\n\n')
    unread = events.pop() ?? ''
    received += events.length
    const tokens = (received * 40) / CHARACTERS_A_TOKEN
    const [record] = await kept(gateway)
    assert.ok((record?.pending.outputTokens ?? 0) >= tokens, `${record?.pending.outputTokens} on record of ${tokens}`)
  }
  const [record] = await kept(gateway)
  assert.ok((record?.pending.outputTokens ?? 0) <= 4_000 * 1.5 + 1, `${record?.pending.outputTokens} on record of 4000`)
  assert.ok((record?.runningNanos ?? 0) >= 4_000 * 10_000)
  leaving.abort()
})

test('before an answer in one piece is there, all of its greatest price is on record', async () => {
  let seen: readonly Kept[] = []
  await using up = await mockProvider((response, request) => {
    void kept(gateway).then((records) => {
      seen = records
      const usage = { prompt_tokens: 10, completion_tokens: 1 }
      answersJson({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }], usage })(response, request)
    })
  })
  await using gateway = await start({ api: provider('openai', up.baseUrl) }, { monthlyCapUsd: 100 })
  assert.equal((await post(gateway, 'chat/completions', { ...ASKED, max_tokens: 32_000 })).status, 200)
  assert.deepEqual(
    seen.map(({ pending }) => pending.outputTokens),
    [32_000],
  )
  assert.deepEqual(await kept(gateway), [])
})
