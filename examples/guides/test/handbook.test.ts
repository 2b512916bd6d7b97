import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import handbook from '../handbook.ts'

async function ask(gateway: TestGateway, method: string, params: object) {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const headers = { accept: 'application/json, text/event-stream' }
  return (await gateway.inject({ method: 'POST', url: '/mcp', headers, body })).json()
}

test('a client reads a chapter, and is told when there is none', async () => {
  await using gateway = await startTestGateway({ plugins: [handbook] })
  const { result } = await ask(gateway, 'resources/read', { uri: 'handbook://deploy' })
  assert.equal(result.contents[0].text, 'Never on a Friday.')
  assert.ok((await ask(gateway, 'resources/read', { uri: 'handbook://nothing' })).error)
})

test('a prompt is rendered, and its argument completed', async () => {
  await using gateway = await startTestGateway({ plugins: [handbook] })
  const { result } = await ask(gateway, 'prompts/get', { name: 'explain_chapter', arguments: { chapter: 'deploy' } })
  assert.equal(result.messages[0].content.text, 'Explain to a new colleague: Never on a Friday.')
  const completed = await ask(gateway, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'explain_chapter' },
    argument: { name: 'chapter', value: 'we' },
  })
  assert.deepEqual(completed.result.completion.values, ['welcome'])
})
