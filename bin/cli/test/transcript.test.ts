import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { messagesOf, pieceAt } from '../src/hook/transcript.ts'

const at = '2026-01-05T09:00:00.000Z'

test('the words of people and models are read from the lines of several hosts, and other lines have none', () => {
  const line = (entry: object) => messagesOf(JSON.stringify(entry))
  assert.deepEqual(line({ type: 'user', timestamp: at, message: { role: 'user', content: 'Hello' } }), [
    { role: 'user', text: 'Hello', at },
  ])
  const content = [
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'One' },
    { type: 'tool_use', input: {} },
    { type: 'text', text: 'Two' },
  ]
  assert.deepEqual(line({ type: 'assistant', message: { role: 'assistant', content } }), [{ role: 'assistant', text: 'One\nTwo' }])
  const payload = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] }
  assert.deepEqual(line({ timestamp: 'x', type: 'response_item', payload }), [{ role: 'assistant', text: 'Done' }])
  for (const odd of [
    { type: 'user', isMeta: true, message: { role: 'user', content: 'caveat' } },
    { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: 'file' }] } },
    { type: 'response_item', payload: { role: 'developer', content: 'rules' } },
    { type: 'summary' },
    [],
  ])
    assert.deepEqual(line(odd), [])
  assert.deepEqual(messagesOf('{"type":"us'), [])
})

test('a transcript is read in pieces of whole lines, from where it was left; a line longer than a piece is skipped', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-transcript-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'a.jsonl')
  const line = (content: string) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`
  assert.equal(pieceAt(path, 0), undefined)
  writeFileSync(path, `${line('one')}{"type":`)
  const first = pieceAt(path, 0)
  assert.deepEqual(first?.messages, [{ role: 'user', text: 'one' }])
  assert.equal(pieceAt(path, first?.next ?? 0), undefined, 'the last line is not complete')
  appendFileSync(path, `"x"}\n${line('y'.repeat(600_000))}${line('two')}`)
  const texts: string[] = []
  for (let piece = pieceAt(path, first?.next ?? 0); piece; piece = pieceAt(path, piece.next))
    texts.push(...piece.messages.map(({ text }) => text))
  assert.deepEqual(texts, ['two'])
})
