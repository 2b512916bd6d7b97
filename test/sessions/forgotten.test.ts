import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'

/** Files below a folder that contain the text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))
}

const said = (word: string): string => `The ${word} is opened by the third lever from the left.`

/** Each way into the memory, by the word that is put in by it. */
const WAYS: Readonly<Record<string, readonly [url: string, body: object]>> = {
  quaggastored: ['/api/tools/memory_store', { content: said('quaggastored'), tags: ['locks'] }],
  quaggahanded: ['/api/tools/handoff_write', { repo: 'web', content: `# Now\n\n${said('quaggahanded')}`, sessionId: 's' }],
  quaggastate: ['/api/tools/state_update', { repo: 'web', file: 'state', content: `# Locks\n\n${said('quaggastate')}` }],
  quaggaatom: ['/api/tools/brain_commit', { kind: 'memory', slug: 'lever', content: said('quaggaatom') }],
  quaggasession: ['/api/tools/brain_commit', { kind: 'session', repo: 'web', slug: 's', content: said('quaggasession') }],
  quaggatold: ['/api/memory/transcripts', { sessionId: 's', messages: [{ role: 'user', text: said('quaggatold') }] }],
  quaggaread: ['/api/memory/import', { files: [{ path: 'a.md', content: said('quaggaread') }] }],
}

test('what is forgotten leaves no byte in any file, whichever way it came in, and does not come back', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  const post = ([url, body]: readonly [string, object], key: string) =>
    gateway.inject({ method: 'POST', url, body, headers: { 'idempotency-key': key } })
  const kept = ['/api/tools/memory_store', { content: said('okapi') }] as const
  for (const [word, way] of Object.entries({ ...WAYS, okapi: kept })) assert.equal((await post(way, word)).status, 200, word)
  // Traces, audit records, counts and spans of calls that find it.
  for (const word of Object.keys(WAYS)) {
    assert.match(JSON.stringify(await gateway.call('memory_search', { query: word })), new RegExp(said(word)), word)
    assert.equal((await post(['/api/tools/memory_context', { query: said(word) }], word)).status, 200)
  }
  await gateway.call('context_boot', { repo: 'web', query: 'third lever' })
  assert.notDeepEqual(filesWith(gateway.dataDir, 'quagga'), [])

  for (const word of Object.keys(WAYS)) assert.deepEqual(await gateway.call('memory_forget', { query: word }), { forgotten: 1 }, word)
  // The keys are still used: nothing comes back by a repeated call.
  for (const [word, way] of Object.entries(WAYS)) {
    const answer = await post(way, word)
    assert.deepEqual([answer.status, answer.headers['idempotency-replayed']], [200, 'true'], word)
    assert.doesNotMatch(answer.body, /quagga/)
  }
  await gateway.call('memory_reindex', { scope: 'all' })
  await gateway.restart()
  assert.deepEqual(filesWith(gateway.dataDir, 'quagga'), [])
  const found = [
    await gateway.call('memory_search', { query: 'opened third lever left' }),
    await gateway.call('brain_search', { query: 'opened third lever left' }),
    await gateway.call('recall_session', { query: 'opened third lever left' }),
    await gateway.call('context_boot', { repo: 'web', query: 'third lever' }),
  ]
  assert.doesNotMatch(JSON.stringify(found), /quagga/)
  assert.match(JSON.stringify(found[0]), new RegExp(said('okapi')))
  assert.match((await post(kept, 'okapi')).body, /^\{"chunkId":"mem-/)
})
