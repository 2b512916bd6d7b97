import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatStream, messagesStream, mockProvider, streams } from './mock-provider.ts'
import { post, provider, start } from './support.ts'

const URL = 'data:image/png;base64,QUJD'
const SHOWN = { type: 'image_url', image_url: { url: URL } }
const BLOCK = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } }

/** A conversation in which one tool has returned an image, one a text with an image, and one a text, and the user goes on. */
const conversation = {
  responses: {
    input: [
      { role: 'user', content: 'Look' },
      ...['c0', 'c1', 'c2'].map((id) => ({ type: 'function_call', call_id: id, name: 'view_image', arguments: '{}' })),
      { type: 'function_call_output', call_id: 'c0', output: [{ type: 'input_image', image_url: URL }] },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'A ' },
          { type: 'input_text', text: 'cat' },
          { type: 'input_image', image_url: URL },
        ],
      },
      { type: 'function_call_output', call_id: 'c2', output: 'none' },
      { role: 'user', content: 'And?' },
    ],
  },
  'chat/completions': {
    messages: [
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        content: null,
        tool_calls: ['c0', 'c1', 'c2'].map((id) => ({ id, type: 'function', function: { name: 'view_image', arguments: '{}' } })),
      },
      { role: 'tool', tool_call_id: 'c0', content: [SHOWN] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'A cat' }, SHOWN] },
      { role: 'tool', tool_call_id: 'c2', content: 'none' },
      { role: 'user', content: 'And?' },
    ],
  },
  messages: {
    max_tokens: 60,
    messages: [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: ['c0', 'c1', 'c2'].map((id) => ({ type: 'tool_use', id, name: 'view_image', input: {} })) },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c0', content: [BLOCK] },
          { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'A cat' }, BLOCK] },
          { type: 'tool_result', tool_use_id: 'c2', content: 'none' },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
  },
}

for (const path of ['responses', 'chat/completions'] as const) {
  test(`an image in the result of a tool reaches a provider of messages within the result: ${path}`, async () => {
    await using up = await mockProvider(streams(messagesStream(['A cat'])))
    await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
    assert.equal((await post(gateway, path, { model: 'model-s', ...conversation[path] })).status, 200)
    assert.deepEqual(up.received[0]?.body.messages[2].content, [
      { type: 'tool_result', tool_use_id: 'c0', content: [BLOCK] },
      { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'A cat' }, BLOCK] },
      { type: 'tool_result', tool_use_id: 'c2', content: 'none' },
      { type: 'text', text: 'And?' },
    ])
  })
}

for (const path of ['responses', 'messages'] as const) {
  test(`an image in the result of a tool reaches a provider of chat completions in a message of the user, after all results: ${path}`, async () => {
    await using up = await mockProvider(streams(chatStream(['A cat'])))
    await using gateway = await start({ api: provider('openai', up.baseUrl) })
    assert.equal((await post(gateway, path, { model: 'model-s', ...conversation[path] })).status, 200)
    assert.deepEqual(up.received[0]?.body.messages.slice(2), [
      { role: 'tool', tool_call_id: 'c0', content: 'The result is in the next message, as images.' },
      { role: 'tool', tool_call_id: 'c1', content: 'A cat' },
      { role: 'tool', tool_call_id: 'c2', content: 'none' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Images in the result of the tool call c0:' },
          SHOWN,
          { type: 'text', text: 'Images in the result of the tool call c1:' },
          SHOWN,
          { type: 'text', text: 'And?' },
        ],
      },
    ])
  })
}
