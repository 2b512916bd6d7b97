import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import git from '@gateway/plugin-git'
import { git as gitService } from '@gateway/plugin-git/api'
import memory from '@gateway/plugin-memory'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { brain as brainService, foreignBrains } from '../src/api.ts'
import brain from '../src/index.ts'
import { commit, gitIn, plainGit, start, type TestGateway } from './support.ts'

const INDEX = ['brain.atoms', 'memory', 'brain.code', 'brain.namespaces', 'brain.stashes', 'brain.pins'] as const

/** Returns the index without its order of creation. */
async function indexOf(gateway: TestGateway): Promise<Record<string, object[]>> {
  const documents = await gateway.documents()
  const plain = (one: object) => ({ ...one, seq: 0, recalls: 0, storedAs: '', pending: '' })
  return Object.fromEntries(
    INDEX.map((id) => [id, (documents[id] ?? []).map(plain).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))]),
  )
}

async function fill(gateway: TestGateway): Promise<void> {
  const old = (await commit(gateway, { slug: 'old', content: 'old @ada', code_sha: 'abcdef0', pin: true })).atom
  await commit(gateway, { slug: 'new', content: 'new', supersedes: old.sha8, topic: 'docs' })
  await commit(gateway, { kind: 'memory', slug: 'm', content: 'memory' })
  await gateway.call('brain_stash', { slug: 'ctx', content: 'frozen' })
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  await commit(gateway, { slug: 'merged', content: 'merged' })
  await gateway.call('brain_merge')
  const { atom } = await commit(gateway, { slug: 'gone', content: 'gone' })
  await gateway.call('brain_revert', { sha: atom.commit })
  await gateway.call('brain_branch', { slug: 'open' })
  await commit(gateway, { slug: 'open', content: 'open', pin: true })
}

test('an index that is lost is made anew from the repository, the same', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-brain-'))
  try {
    const first = await start({ dataDir })
    await fill(first)
    const before = await indexOf(first)
    assert.equal(before['brain.atoms']?.length, 5)
    await first.stop()
    await rm(join(dataDir, 'store'), { recursive: true })
    await using again = await start({ dataDir, env: { GATEWAY_NEW_STORE: '1' } })
    await again.call('brain_checkout', { ref: 'idea/open' })
    await again.call('brain_status')
    assert.deepEqual(await indexOf(again), before)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('what somebody pushes with a git of their own is found by the next call, and a rewritten history as well', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'ours', content: 'ours' })
  const before = plainGit(gateway, 'rev-parse', 'main').trim()
  const clone = await mkdtemp(join(tmpdir(), 'gateway-clone-'))
  try {
    gitIn(clone, 'clone', '-q', `${gateway.dataDir}/brains/local.git`, '.')
    const path = 'repos/web/session/20250101/20250101T000000Z-pushed-0123abcd.md'
    gitIn(clone, 'config', 'core.hooksPath', '/dev/null')
    const { mkdir } = await import('node:fs/promises')
    await mkdir(join(clone, 'repos/web/session/20250101'), { recursive: true })
    await writeFile(join(clone, path), '# Pushed\n\nplainly')
    gitIn(clone, 'add', '.')
    gitIn(clone, 'commit', '-qm', 'by hand')
    gitIn(clone, 'push', '-q', 'origin', 'main')
  } finally {
    await rm(clone, { recursive: true })
  }
  const [hit] = (await gateway.call('brain_search', { query: 'plainly' })).hits
  assert.deepEqual([hit.title, hit.at, hit.atom.topic], ['Pushed', '2025-01-01T00:00:00.000Z', 'general'])
  plainGit(gateway, 'update-ref', 'refs/heads/main', before)
  assert.equal((await gateway.call('brain_search', { query: 'plainly' })).hits.length, 0)
  assert.equal((await gateway.call('brain_search', { query: 'ours' })).hits.length, 1)
})

test('without git the tools answer UNAVAILABLE and say what to install, and the rest of the gateway works', async () => {
  await using gateway = await start({ config: { git: { program: '/nonexistent/git' } } })
  await assert.rejects(commit(gateway), (error: Error & { code?: string; details?: { setting?: string } }) => {
    assert.deepEqual([error.code, error.details?.setting], ['UNAVAILABLE', 'GATEWAY_GIT'])
    assert.match(error.message, /git 2\.38 or newer[\s\S]*Install git/)
    return true
  })
  assert.ok((await gateway.call('brain_observe', { tool: 'x' })).observationId)
})

/** Tools that call the service like other families do. */
const probe = definePlugin({
  id: 'probe',
  sdk: '^1.0.0',
  description: 'Calls the services of the brain for a test.',
  tools: [
    defineTool({
      name: 'probe_call',
      description: 'Call a method of a service. Returns what it returned.',
      capability: 'work',
      effect: 'write',
      input: Type.Object(
        { service: Type.String(), method: Type.String(), args: Type.Array(Type.Unknown(), { description: 'Arguments.' }) },
        closed,
      ),
      output: Type.Object({ value: Type.Unknown() }),
      uses: { brain: brainService, foreign: foreignBrains, git: gitService },
      handle: async ({ service, method, args }, services) => {
        const target = services[service as 'brain'] as unknown as Record<string, (...args: unknown[]) => unknown>
        return { value: (await target[method]?.(...args)) ?? null }
      },
    }),
  ],
})
const ask = async (gateway: TestGateway, service: string, method: string, args: unknown[], options?: object) =>
  (await gateway.call('probe_call', { service, method, args }, options)).value

test('the service: many atoms as one commit, all or none, identical ones left out', async () => {
  await using gateway = await startTestGateway({ plugins: [git, memory, brain, probe] })
  const drafts = Array.from({ length: 3 }, (_, n) => ({ kind: 'session', repo: 'web', slug: `s${n}`, content: `${n}`, topic: 'docs' }))
  const first = await ask(gateway, 'brain', 'commitMany', [drafts, 'seed: pack 1.0.0'])
  assert.equal(first.created, 3)
  assert.equal(plainGit(gateway, 'rev-list', '--count', 'main').trim(), '2')
  assert.equal((await ask(gateway, 'brain', 'commitMany', [drafts, 'again'])).created, 0)
  const bad = [
    { ...drafts[0], slug: 'fresh' },
    { ...drafts[1], slug: '../x' },
  ]
  await assert.rejects(ask(gateway, 'brain', 'commitMany', [bad, 'bad']), { code: 'BAD_REQUEST' })
  assert.equal(plainGit(gateway, 'rev-list', '--count', 'main').trim(), '2')
  assert.equal((await ask(gateway, 'brain', 'atoms', [{ namespace: 'web' }, 10])).length, 3)
  assert.equal(await ask(gateway, 'brain', 'content', [{ path: first.atoms[0].path }]), '0')
  assert.equal(await ask(gateway, 'brain', 'count', [{ kind: 'session' }, 100]), 3)
  assert.match(await ask(gateway, 'brain', 'bootSection', [500]), /web: 3 atoms/)
  assert.ok((await ask(gateway, 'brain', 'usageBytes', [])) > 100)
})

test('the service: another tenant’s namespace is read and written through its repository, attributed to the writer', async () => {
  await using gateway = await startTestGateway({ plugins: [git, memory, brain, probe] })
  await commit(gateway, { slug: 'own', content: '# Own' })
  const as = { tenantId: 'acme', id: 'u', kind: 'user', role: 'owner' } as const
  const draft = { kind: 'handoff', repo: 'web', slug: 'theirs', content: '# Theirs' }
  const written = await ask(gateway, 'foreign', 'write', ['local', draft], { as })
  assert.deepEqual([written.created, written.atom.writer], [true, 'acme'])
  assert.equal((await ask(gateway, 'foreign', 'write', ['local', draft], { as })).created, false)
  const read = await ask(gateway, 'foreign', 'read', ['local', 'web', 5], { as })
  assert.deepEqual(
    read.atoms.map(({ title }: { title: string }) => title),
    ['Theirs', 'Own'],
  )
  assert.match(read.brief, /Theirs/)
  assert.equal(await ask(gateway, 'foreign', 'read', ['local', 'none', 5], { as }), null)
  const [hit] = (await gateway.call('brain_search', { query: 'theirs' })).hits
  assert.deepEqual([hit.atom.writer, hit.atom.kind], ['acme', 'handoff'])
})

test('the helper that dies is started again by the next call', async () => {
  await using gateway = await startTestGateway({ plugins: [git, memory, brain, probe] })
  await commit(gateway)
  const { pid } = await ask(gateway, 'git', 'status', [])
  process.kill(pid, 'SIGKILL')
  assert.equal((await commit(gateway, { slug: 'next', content: 'next' })).created, true)
  assert.notEqual((await ask(gateway, 'git', 'status', [])).pid, pid)
})
