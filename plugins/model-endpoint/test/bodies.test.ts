import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { isToolError } from '@gateway/sdk'
import { readBody } from '../src/operations/read-body.ts'
import { promptSize } from '../src/rules/prompt-size.ts'
import { answersJson, mockProvider } from './mock-provider.ts'
import { json, post, provider, spent, start } from './support.ts'

const ANSWER = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] }

test('an image in base64 counts by the piece, and text by its characters', () => {
  assert.equal(promptSize('a'.repeat(4_000)), 1_600)
  assert.equal(promptSize('a'.repeat(3_999)), 1_000)
  assert.equal(promptSize(`${'a'.repeat(5_000)} ${'b'.repeat(5_000)} to`), 3_201)
  for (const before of [0, 1, 1_999, 2_000, 2_001, 3_999])
    assert.equal(promptSize(`${' '.repeat(before)}${'a'.repeat(4_000)} `), 1_600 + Math.ceil((before + 1) / 4), `after ${before}`)
  assert.equal(promptSize(`${'ä'.repeat(3_000)}${'a'.repeat(3_000)}ä${'b'.repeat(9_000)}`), 1_600 + Math.ceil(6_001 / 4))
})

test('the size of a prompt is estimated in time that grows with its length alone', () => {
  for (const run of [1, 3, 1_999, 3_999]) {
    const text = `${'a'.repeat(run)} `.repeat(Math.floor(2_097_152 / (run + 1)))
    const began = process.cpuUsage()
    assert.equal(promptSize(text), Math.ceil(text.length / 4))
    const { user, system } = process.cpuUsage(began)
    assert.ok(user + system < 500_000, `${(user + system) / 1_000} ms for runs of ${run}`)
  }
})

test('a body that is no JSON object, too deep or of too many values is refused before a provider is asked, in the form of the wire', async () => {
  await using up = await mockProvider(answersJson(ANSWER))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const within = (member: string): string => `{"model":"model-s","messages":[],"more":${member}}`
  const refused = [
    ['', /must be JSON/],
    ['{"model":', /must be JSON/],
    ['null', /must be a JSON object/],
    ['[]', /must be a JSON object/],
    ['"text"', /must be a JSON object/],
    [within('['.repeat(50_000) + ']'.repeat(50_000)), /at most 200 levels/],
    [within(`[${'0,'.repeat(500_000)}0]`), /at most 500000 names and values/],
  ] as const
  for (const path of ['chat/completions', 'responses', 'messages', 'embeddings']) {
    for (const [body, says] of refused) {
      const response = await post(gateway, path, body)
      const { error } = await json(response)
      assert.equal(response.status, 400, `${path} ${body.slice(0, 60)}`)
      assert.match(error.message, says)
      assert.equal(error.type, 'invalid_request_error')
    }
  }
  assert.deepEqual([up.received.length, await spent(gateway)], [0, 0])
  const response = await post(gateway, 'chat/completions', within('"\\ud800"'))
  assert.deepEqual([response.status, up.received[0]?.body.more], [200, '\ud800'])
})

test('a body that does not arrive whole in time is the fault of its client, and its bytes are given back', async (t) => {
  // The timer of a time limit keeps no process alive.
  const awake = setInterval(() => undefined, 1_000)
  t.after(() => clearInterval(awake))
  const stream = new Readable({ read() {} })
  stream.push('{"model":')
  let held = 0
  const bodies = {
    take(bytes: number) {
      held += bytes
      return true
    },
    give: (bytes: number) => void (held -= bytes),
  }
  await assert.rejects(readBody(stream, undefined, bodies, new AbortController().signal, 5), (error: unknown) => {
    assert.ok(isToolError(error))
    assert.deepEqual([error.status, error.code], [408, 'MODEL_REQUEST_INCOMPLETE'])
    return true
  })
  assert.equal(held, 0)
})
