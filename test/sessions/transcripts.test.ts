import assert from 'node:assert/strict'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setting } from './setting.ts'

const said = (role: string, content: unknown): string =>
  `${JSON.stringify({ type: role, timestamp: '2026-01-05T09:00:00.000Z', message: { role, content } })}\n`
const SECRET = `ghp_${'a1B2'.repeat(9)}`

test('the hooks send the conversation of a session in pieces, without secrets and results of tools, and recall_session finds it', async (t) => {
  const { machine, service } = await setting(t)
  const one = await machine('one', 'shop-a')
  const transcript_path = join(one.root, '..', 'session.jsonl')
  await writeFile(transcript_path, said('user', `Why is the zeppelin late? The token is ${SECRET}.`))
  await one.hook('session-start', { session_id: 'a', transcript_path })
  await one.hook('send')
  const recalled = async (query: string) => JSON.stringify((await service.call('recall_session', { query, repo: 'shop-a' })).blocks ?? [])
  assert.match(await recalled('zeppelin late'), /zeppelin/)
  await appendFile(
    transcript_path,
    `${said('user', [{ type: 'tool_result', content: 'quagga quagga' }])}${said('assistant', [{ type: 'text', text: 'The okapi blocks it.' }])}{"type":"assis`,
  )
  await one.hook('session-end', { session_id: 'a', transcript_path })
  assert.match(await recalled('okapi'), /okapi blocks it/)
  const stored = JSON.stringify(await service.documents())
  assert.ok(!stored.includes(SECRET) && !stored.includes('quagga'))
  assert.equal(stored.match(/Why is the zeppelin late/g)?.length, 1, 'a piece is stored once')

  await one.hook('session-start', { session_id: 'b', transcript_path }, { GATEWAY_HOOK_TRANSCRIPTS: '0' })
  await appendFile(transcript_path, `\n${said('user', 'The narwhal is private.')}`)
  await one.hook('session-end', { session_id: 'b', transcript_path }, { GATEWAY_HOOK_TRANSCRIPTS: '0' })
  assert.ok(!JSON.stringify(await service.documents()).includes('narwhal'))
})
