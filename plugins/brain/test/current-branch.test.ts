import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { commit, start, type TestGateway } from './support.ts'

const VERSION = '2025-06-18'

async function session(gateway: TestGateway) {
  let headers: Record<string, string> = { accept: 'application/json, text/event-stream' }
  const send = async (method: string, params: object) => {
    const answer = await gateway.inject({ method: 'POST', url: '/mcp', headers, body: { jsonrpc: '2.0', id: 1, method, params } })
    return { answer, body: answer.json() }
  }
  const { answer } = await send('initialize', { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'test', version: '1' } })
  headers = { ...headers, 'mcp-session-id': String(answer.headers['mcp-session-id']), 'mcp-protocol-version': VERSION }
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return async (name: string, args: object = {}): Promise<any> => {
    const { body } = await send('tools/call', { name, arguments: args })
    assert.ok(body.result?.structuredContent, JSON.stringify(body))
    return body.result.structuredContent
  }
}

test('two MCP sessions of one principal have a current branch each, and a caller that chose none is on main', async () => {
  await using gateway = await start()
  const [one, two] = [await session(gateway), await session(gateway)]
  await one('brain_branch', { slug: 'one', kind: 'session' })
  await two('brain_branch', { slug: 'two', kind: 'session' })
  const atom = { kind: 'session', repo: 'web', slug: 'note', content: '# Only in one' }
  assert.equal((await one('brain_commit', atom)).branch, 'session/one')
  assert.equal((await two('brain_status')).branch, 'session/two')
  assert.equal((await two('brain_search', { query: 'only in one' })).hits.length, 0)
  assert.equal((await one('brain_search', { query: 'only in one' })).hits.length, 1)
  assert.equal((await gateway.call('brain_status')).branch, 'main')
  assert.equal((await commit(gateway)).branch, 'main')
  assert.equal((await two('brain_merge')).atoms, 0)
  assert.equal((await one('brain_merge')).atoms, 1)
  assert.equal((await one('brain_status')).branch, 'main')
})

test('without a session the branch is the principal’s, and outlives a restart', async () => {
  await using gateway = await start()
  const ada = { as: { id: 'ada', kind: 'user', role: 'owner' } } as const
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' }, ada)
  await gateway.restart()
  assert.equal((await commit(gateway, {}, ada)).branch, 'session/one')
  assert.equal((await commit(gateway, { slug: 'other' })).branch, 'main')
})

test('commits of callers on several branches that wait together go to the branch of each', async () => {
  await using gateway = await start()
  const callers = ['a', 'b', 'c'].map((id) => ({ as: { id, kind: 'user', role: 'owner' } }) as const)
  for (const caller of callers) await gateway.call('brain_branch', { slug: caller.as.id, kind: 'idea' }, caller)
  const done = await Promise.all(callers.flatMap((caller) => [1, 2].map((n) => commit(gateway, { slug: `s${n}` }, caller))))
  assert.deepEqual(
    done.map(({ branch }) => branch),
    ['a', 'a', 'b', 'b', 'c', 'c'].map((id) => `idea/${id}`),
  )
})

test('`branch` takes precedence in brain_commit, brain_stash and brain_observe, for the call alone', async () => {
  await using gateway = await start()
  await gateway.call('brain_branch', { slug: 'x', kind: 'session' })
  await gateway.call('brain_checkout', { ref: 'main' })
  const branch = 'session/x'
  assert.equal((await commit(gateway, { branch, content: '# On x' })).branch, branch)
  assert.equal((await gateway.call('brain_status')).branch, 'main')
  await gateway.call('brain_stash', { slug: 'draft', content: 'frozen', branch })
  await assert.rejects(gateway.call('brain_pop', { slug: 'draft' }), { code: 'NOT_FOUND' })
  assert.deepEqual((await gateway.call('brain_status')).stashes, [])
  await gateway.call('brain_checkout', { ref: branch })
  assert.equal((await gateway.call('brain_pop', { slug: 'draft' })).content, 'frozen')
  await gateway.call('brain_stash', { slug: 'later', content: 'goes to main with the merge', branch })
  await gateway.call('brain_merge')
  assert.equal((await gateway.call('brain_pop', { slug: 'later' })).content, 'goes to main with the merge')
  await gateway.call('brain_observe', { tool: 'Bash', branch })
  const { observations } = await gateway.call('brain_explore', { sections: ['observations'] })
  assert.deepEqual([observations[0].tool, observations[0].branch], ['Bash', branch])
})

test('a branch that is none, or is not there, is refused by its name and changes nothing', async () => {
  await using gateway = await start()
  await commit(gateway)
  const before = (await gateway.call('brain_status')).atoms
  await assert.rejects(commit(gateway, { slug: 'x', branch: 'feature/x' }), refusal('BAD_REQUEST', 'branch'))
  await assert.rejects(gateway.call('brain_stash', { slug: 'x', content: 'x', branch: 'feature/x' }), refusal('BAD_REQUEST', 'branch'))
  await assert.rejects(gateway.call('brain_observe', { branch: 'HEAD' }), refusal('BAD_REQUEST', 'branch'))
  await assert.rejects(commit(gateway, { slug: 'x', branch: 'idea/none' }), { code: 'NOT_FOUND' })
  await assert.rejects(gateway.call('brain_stash', { slug: 'x', content: 'x', branch: 'idea/none' }), { code: 'NOT_FOUND' })
  await assert.rejects(gateway.call('brain_observe', { branch: 'idea/none' }), { code: 'NOT_FOUND' })
  assert.deepEqual((await gateway.call('brain_status')).atoms, before)
})

test('brain_search with a repo finds its atoms and those of all repos, and not those of another repo', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'a', content: '# Caches here\n\nLRU caches' })
  await commit(gateway, { slug: 'b', repo: 'api', content: '# Caches there\n\nLRU caches' })
  await commit(gateway, { kind: 'memory', slug: 'c', content: '# Caches everywhere\n\nLRU caches' })
  const { hits } = await gateway.call('brain_search', { query: 'LRU caches', repo: 'web' })
  assert.deepEqual(hits.map(({ title }: { title: string }) => title).sort(), ['Caches everywhere', 'Caches here'])
})
