import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CodeHostingListener, codeHosting } from '@gateway/plugin-webhooks/api'
import { atomically, closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { start } from './support.ts'

/** Plays the family that receives webhooks. */
const host = definePlugin({
  id: 'host',
  sdk: '^1.0.0',
  description: 'Tells of code hosting.',
  tools: [
    defineTool({
      name: 'host_tell',
      description: 'Tell of an event. Returns nothing.',
      capability: 'work',
      effect: 'write',
      input: Type.Object(
        { kind: Type.Enum(['pullRequest', 'pushed', 'checked']), told: Type.Object({}, { additionalProperties: true }) },
        closed,
      ),
      output: Type.Object({}),
      uses: { listeners: codeHosting, atomically },
      async handle({ kind, told }, { listeners, atomically }) {
        await atomically(async (tx) => {
          for (const listener of listeners) await (listener as Required<CodeHostingListener>)[kind]?.(told as never, tx)
        })
        return {}
      },
    }),
  ],
})

const files = { 'core.ts': 'export const core = 1', 'user.ts': "import { core } from './core.ts'\nexport const user = core" }

async function set() {
  const of = await start(files, {}, [host])
  of.git('init', '-q')
  of.git('add', '-A')
  of.git('commit', '-qm', 'begin')
  of.git('checkout', '-qb', 'feature')
  await of.write({ 'core.ts': 'export const core = 2' })
  of.git('commit', '-qam', 'more')
  const repo = { name: of.root.slice(of.root.lastIndexOf('/') + 1), fullName: 'acme/web' }
  const at = '2026-01-05T09:00:00.000Z'
  const commit = of.git('rev-parse', 'HEAD').trim()
  const url = 'https://code.example/acme/web/pull/7'
  const pull = { repo, number: 7, url, state: 'open', branch: 'feature', base: 'main', commit, title: 'More', text: '', receivedAt: at }
  const waiting = async () => {
    const { items } = (await of.gateway.inject({ method: 'GET', url: '/api/attention' })).json()
    return items.filter(({ kind }: { kind: string }) => kind === 'pull-request') as {
      id: string
      title: string
      text: string
      tone: string
    }[]
  }
  const tell = (kind: string, told: object) => of.call('host_tell', { kind, told })
  return { of, pull, repo, commit, url, at, tell, waiting, triage: () => of.gateway.runJob('code-graph.triage') }
}

test('an opened pull request is triaged and waits in the attention queue with its risk, until it ends', async () => {
  const { of, pull, tell, waiting, triage } = await set()
  await using _set = of
  await tell('pullRequest', pull)
  await triage()
  const [item, ...more] = await waiting()
  assert.deepEqual([item?.title, more], [`${pull.repo.name}#7 More`, []])
  assert.match(item?.text ?? '', /^Risk: (low|medium|high) \([0-9.]+\)\./)
  await tell('pullRequest', { ...pull, state: 'merged' })
  assert.deepEqual(await waiting(), [])
})

test('a pull request whose commits are not here waits without a risk, which is worked out once they are', async () => {
  const { of, pull, tell, waiting, triage, repo, at } = await set()
  await using _set = of
  await tell('pullRequest', { ...pull, commit: 'f'.repeat(40), branch: 'elsewhere' })
  await triage()
  assert.match((await waiting())[0]?.text ?? '', /risk is not known/)
  of.git('branch', 'elsewhere', 'feature')
  await tell('pushed', { repo, branch: 'elsewhere', receivedAt: at })
  await triage()
  assert.match((await waiting())[0]?.text ?? '', /^Risk: /)
})

test('failing checks of its latest commit stand with a pull request, until they pass', async () => {
  const { of, pull, tell, waiting, triage, repo, commit, url, at } = await set()
  await using _set = of
  await tell('pullRequest', pull)
  await triage()
  const check = { repo, name: 'unit tests', failed: true, commit, pullRequests: [url], receivedAt: at }
  await tell('checked', { ...check, commit: 'older' })
  assert.doesNotMatch((await waiting())[0]?.text ?? '', /Failing/)
  await tell('checked', check)
  const [item] = await waiting()
  assert.deepEqual([/Failing: unit tests\./.test(item?.text ?? ''), item?.tone], [true, 'warn'])
  await tell('checked', { ...check, failed: false })
  assert.doesNotMatch((await waiting())[0]?.text ?? '', /Failing/)
})

test('after a push the graph of a queried repo is read again before anybody asks, and later for a commit that is not here yet', async () => {
  const { of, tell, repo, at } = await set()
  await using _set = of
  const stored = async () => {
    await of.gateway.runJob('code-graph.refresh')
    const { 'code-graph.shards': shards = [], 'code-graph.refreshes': left = [] } = await of.gateway.documents()
    return { graph: JSON.stringify(shards), waiting: left.map((one) => (one as { attempts: number }).attempts) }
  }
  const push = (commit: string) => tell('pushed', { repo, branch: 'feature', commit, receivedAt: at })
  await push(of.git('rev-parse', 'HEAD').trim())
  assert.deepEqual(await stored(), { graph: '[]', waiting: [] }, 'nobody has asked about this repo')
  await of.call('triage_prs', { prs: [{ id: '1', files: ['core.ts'] }] })
  const before = await stored()
  await of.write({ 'late.ts': "import { user } from './user.ts'\nexport const late = user" })
  of.git('add', '-A')
  of.git('commit', '-qm', 'late')
  assert.deepEqual(await stored(), before)
  await push(of.git('rev-parse', 'HEAD').trim())
  const after = await stored()
  assert.notEqual(after.graph, before.graph)
  assert.deepEqual(after.waiting, [])
  await push('f'.repeat(40))
  assert.deepEqual((await stored()).waiting, [1])
  of.gateway.clock.advance(301)
  assert.deepEqual((await stored()).waiting, [2])
  of.gateway.clock.advance(3_601)
  assert.deepEqual((await stored()).waiting, [], 'it is not fetched here')
})
