import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { isToolError } from '@gateway/sdk'
import { readBody } from '../src/operations/read-body.ts'
import { promptSize } from '../src/rules/prompt-size.ts'
import { answersJson, mockProvider } from './mock-provider.ts'
import { json, post, provider, spent, start } from './support.ts'

const ANSWER = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] }

const sizeOf = (body: object): number => promptSize(JSON.stringify(body), body)
/** Tokens that data adds to those of the body around it. */
const addedBy = (data: string, around: (data: string) => object): number => sizeOf(around(data)) - sizeOf(around(''))
const said = (block: object) => ({ messages: [{ role: 'user', content: [block] }] })
const source = (media: string) => (data: string) => ({ type: 'base64', media_type: media, data })
const MEGABYTE = 'a'.repeat(1_000_000)

test('an image counts by the piece in each wire, and a small one by its characters', () => {
  for (const around of [
    (data: string) => said({ type: 'image', source: source('image/png')(data) }),
    (data: string) => said({ type: 'tool_result', content: [{ type: 'image', source: source('image/webp')(data) }] }),
    (data: string) => said({ type: 'image_url', image_url: { url: `data:image/jpeg;base64,${data}` } }),
    (data: string) => said({ type: 'input_image', image_url: `data:image/png;base64,${data}` }),
  ]) {
    const added = addedBy(MEGABYTE, around)
    assert.ok(added > 1_580 && added <= 1_600, `${added} for ${JSON.stringify(around('…'))}`)
    assert.ok(Math.abs(addedBy('a'.repeat(400), around) - 100) <= 1)
  }
})

test('a PDF counts by its bytes, and every other long run of letters is text', () => {
  const pdf = [
    (data: string) => said({ type: 'document', source: source('application/pdf')(data) }),
    (data: string) => said({ type: 'file', file: { file_data: `data:application/pdf;base64,${data}` } }),
    (data: string) => said({ type: 'input_file', file_data: `data:application/pdf;base64,${data}` }),
  ]
  for (const around of pdf) assert.ok(Math.abs(addedBy(MEGABYTE, around) - 750_000 / 8) <= 10)
  for (const around of [
    (data: string) => said({ type: 'text', text: data }),
    (data: string) => ({ messages: [{ role: 'user', content: `A page has data:image/png;base64,${data}` }] }),
    (data: string) => said({ type: 'text', text: `data:image/png;base64,${data}` }),
    (data: string) => said({ type: 'text', text: `"type":"image","source":{"type":"base64","media_type":"image/png","data":"${data}"` }),
    (data: string) => said({ type: 'input_audio', input_audio: { data, format: 'wav' } }),
  ])
    assert.ok(Math.abs(addedBy(MEGABYTE, around) - 250_000) <= 1, JSON.stringify(around('…')))
})

test('the size of a prompt is estimated in time that grows with its length alone', () => {
  const many = Array.from({ length: 50_000 }, () => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${'a'.repeat(20)}` } }))
  for (const body of [{ text: MEGABYTE.repeat(30) }, { url: `data:${MEGABYTE.repeat(30)}` }, { many }]) {
    const text = JSON.stringify(body)
    const began = process.cpuUsage()
    promptSize(text, body)
    const { user, system } = process.cpuUsage(began)
    assert.ok(user + system < 500_000, `${(user + system) / 1_000} ms`)
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
