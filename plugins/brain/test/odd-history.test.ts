import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { commit, gitIn, plainGit, start, type TestGateway } from './support.ts'

// An operator writes to a repository with a separate git, and earlier versions accepted pushes that are refused now.
let gateway: TestGateway
let clone: string
before(async () => {
  gateway = await start()
  await commit(gateway)
  clone = await mkdtemp(join(tmpdir(), 'gateway-odd-'))
  gitIn(clone, 'clone', '-q', `${gateway.dataDir}/brains/local.git`, '.')
})
after(async () => {
  await gateway.stop()
  await rm(clone, { recursive: true })
})

const ODD = {
  'repos/web/session/20260106/20260106T090000Z-topic-0123abcd.md':
    '---\ntopic: "a/b: c"\nrepo: "\\ud800"\ncode_repo: "\\ud800\\u0000"\n---\n\n# Odd topic',
  'repos/web/session/20261399/20261399T999999Z-time-0123abcd.md': '---\ncreated: 2026-99-99T99:99:99.999Z\n---\n\n# Odd time',
  'repos/a..b/session/20260106/20260106T090000Z-namespace-0123abcd.md': '# Odd namespace',
  'repos/x.lock/handoff/20260106/20260106T090000Z-lock-0123abcd.md': '# Odd lock',
  'repos/my repo/notes.txt': 'a stray file',
  'stash/20260106T090000Z-odd-0123abcd.md': '---\nrepo: "\\ud800"\n---\n\n# Odd stash',
  'repos/web/BRIEF.md/file': 'a folder in the place of a file',
}

async function writeOdd(branch: string): Promise<void> {
  gitIn(clone, 'fetch', '-q', 'origin')
  gitIn(clone, 'checkout', '-q', '-f', '-B', 'work', 'origin/main')
  for (const [path, text] of Object.entries(ODD)) {
    await mkdir(dirname(join(clone, path)), { recursive: true })
    await writeFile(join(clone, path), text)
  }
  await symlink('/etc/passwd', join(clone, 'repos/web/session/20260106/20260106T090000Z-link-0123abcd.md'))
  gitIn(clone, 'add', '-A')
  const head = gitIn(clone, 'rev-parse', 'HEAD').trim()
  gitIn(clone, 'update-index', '--add', '--cacheinfo', `160000,${head},repos/web/session/20260106/20260106T090000Z-sub-0123abcd.md`)
  gitIn(clone, 'commit', '-q', '-m', 'odd')
  gitIn(clone, 'push', '-q', 'origin', `HEAD:${branch}`)
}

test('what stands in the history, whatever it is, keeps nobody from reading, committing and merging', async () => {
  await writeOdd('session/odd')
  assert.equal((await gateway.call('brain_merge', { branch: 'session/odd' })).merged, true)
  const { atoms } = await gateway.call('brain_explore', { sections: [] })
  const odd = atoms.filter(({ slug }: { slug: string }) => slug === 'topic')
  assert.deepEqual(
    odd.map(({ topic }: { topic: string }) => topic),
    ['general'],
  )
  await gateway.call('brain_branch', { slug: 'next', kind: 'session' })
  await commit(gateway, { slug: 'next', content: '# Next' })
  assert.equal((await gateway.call('brain_merge')).merged, true)
  for (const [tool, args] of [
    ['brain_search', { query: 'odd' }],
    ['brain_health', {}],
    ['brain_manifest', {}],
    ['brain_status', {}],
    ['brain_delta', { since: 'HEAD' }],
    ['brain_entity', {}],
    ['brain_communities', {}],
    ['brain_recall_analytics', {}],
    ['brain_lookup', { repo: 'web' }],
    ['brain_log', {}],
    ['brain_diff', { from: 'main' }],
    ['brain_pop', { slug: 'odd' }],
  ] as const)
    await gateway.call(tool, args)
  assert.equal(plainGit(gateway, 'fsck', '--strict', '--no-dangling'), '')
})

test('a commit that brought all of it is reverted', async () => {
  await writeOdd('main').catch(() => {})
  const [merge] = (await gateway.call('brain_log', { limit: 50 })).commits.filter(({ subject }: { subject: string }) =>
    /merge session\/odd/.test(subject),
  )
  await gateway.call('brain_revert', { sha: merge.sha }).catch((error: { code: string }) => assert.equal(error.code, 'REVERT_CONFLICT'))
})

test('a branch that shares nothing with main is merged, or refused for its conflicts', async () => {
  gitIn(clone, 'checkout', '-q', '--orphan', 'alone')
  gitIn(clone, 'rm', '-rfq', '--cached', '.')
  gitIn(clone, 'clean', '-qfdx')
  const path = 'repos/web/session/20260107/20260107T090000Z-alone-0123abcd.md'
  await mkdir(dirname(join(clone, path)), { recursive: true })
  await writeFile(join(clone, path), '# Alone')
  gitIn(clone, 'add', '-A')
  gitIn(clone, 'commit', '-q', '-m', 'alone')
  gitIn(clone, 'push', '-q', 'origin', 'HEAD:session/alone')
  assert.equal((await gateway.call('brain_merge', { branch: 'session/alone' })).merged, true)
})
