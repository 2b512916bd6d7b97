import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import brain from '@gateway/plugin-brain'
import { BrainQuotaExceeded, brainWriteGate } from '@gateway/plugin-brain/api'
import git from '@gateway/plugin-git'
import memory from '@gateway/plugin-memory'
import { contribute, definePlugin } from '@gateway/sdk'
import { refusal, startTestGateway, type TestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'
import { commit, share, start, write } from './support.ts'

const inBrain = ({ dataDir }: TestGateway, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', `${dataDir}/brains/local.git`, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
  }).trim()
const packs = ({ dataDir }: TestGateway): number =>
  readdirSync(`${dataDir}/brains/local.git/objects/pack`).filter((name) => name.endsWith('.pack')).length
const commits = (gateway: TestGateway): number => Number(inBrain(gateway, 'rev-list', '--count', 'main'))
const many = <T>(count: number, make: (n: number) => Promise<T>) => Promise.allSettled(Array.from({ length: count }, (_, n) => make(n)))
const codes = (done: readonly PromiseSettledResult<unknown>[]) =>
  done.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []))

async function shared(): Promise<TestGateway> {
  const gateway = await start()
  await commit(gateway, 'first')
  await share(gateway, 'read-write')
  return gateway
}

test('twenty writers at once all succeed, each with a commit of its own, in few packs', async () => {
  await using gateway = await shared()
  const before = { commits: commits(gateway), packs: packs(gateway) }
  const done = await many(20, (n) => write(gateway, { slug: `at-once-${n}`, content: `# ${n}` }))
  assert.deepEqual(codes(done), [])
  assert.equal(commits(gateway) - before.commits, 20)
  assert.ok(packs(gateway) - before.packs < 20, 'writes that wait go together')
  assert.equal(inBrain(gateway, 'fsck', '--strict', '--no-dangling'), '')
})

test('the same atom at once is one atom, and the owner’s index has what others wrote', async () => {
  await using gateway = await shared()
  const done = await many(5, () => write(gateway, { slug: 'same' }))
  const created = done.map((one) => (one.status === 'fulfilled' ? one.value.created : one.reason))
  assert.deepEqual(created.sort(), [false, false, false, false, true])
  const { hits } = await gateway.call('brain_search', { query: 'From acme', repo: 'web' })
  assert.equal(hits.filter(({ atom }: { atom?: { slug: string } }) => atom?.slug === 'same').length, 1)
})

test('sixty writers at once keep no owner from committing; those who would wait too long are told to come again', async () => {
  await using gateway = await shared()
  const before = commits(gateway)
  const [theirs, own] = await Promise.all([
    many(60, (n) => write(gateway, { slug: `crowd-${n}`, content: `# ${n}` })),
    many(20, (n) => commit(gateway, `own-${n}`)),
  ])
  assert.deepEqual(codes(own), [])
  const refused = codes(theirs)
  assert.ok(refused.every((code) => code === 'UNAVAILABLE'))
  assert.ok(refused.length > 0 && refused.length <= 28, `${refused.length} of 60 were refused`)
  assert.equal(commits(gateway) - before, 60 - refused.length + 20)
  await write(gateway, { slug: 'later' })
})

test('a write that loses every race is UNAVAILABLE, leaves no pack, and so is a commit of the owner', async () => {
  const folder = { path: '' }
  const mover = definePlugin({
    id: 'mover',
    sdk: '^1.0.0',
    description: 'Moves main whenever something is about to be written.',
    contributes: [contribute(brainWriteGate, { create: () => ({ check: async () => moveMain(folder.path) }) })],
  })
  await using gateway = await startTestGateway({ plugins: [git, memory, brain, plugin, mover] })
  await commit(gateway, 'first')
  await share(gateway, 'read-write')
  folder.path = `${gateway.dataDir}/brains/local.git`
  const before = packs(gateway)
  await assert.rejects(write(gateway), refusal('UNAVAILABLE'))
  await assert.rejects(commit(gateway, 'own'), refusal('UNAVAILABLE'))
  await assert.rejects(gateway.call('brain_stash', { slug: 'x', content: 'x' }), refusal('UNAVAILABLE'))
  assert.equal(packs(gateway), before)
})

test('a write into a full brain is refused with its figures', async () => {
  const quota = definePlugin({
    id: 'quota',
    sdk: '^1.0.0',
    description: 'Refuses large writes.',
    contributes: [
      contribute(brainWriteGate, {
        create: () => ({
          async check({ bytes }) {
            if (bytes > 2_000) throw BrainQuotaExceeded({ bytes, usedBytes: 0, capBytes: 2_000 })
          },
        }),
      }),
    ],
  })
  await using gateway = await startTestGateway({ plugins: [git, memory, brain, plugin, quota] })
  await commit(gateway, 'first')
  await share(gateway, 'read-write')
  await assert.rejects(write(gateway, { content: 'x'.repeat(3_000) }), refusal('BRAIN_QUOTA_EXCEEDED'))
  await write(gateway)
})

function moveMain(folder: string): void {
  if (folder === '') return
  const identity = { GIT_AUTHOR_NAME: 'Op', GIT_AUTHOR_EMAIL: 'op@local', GIT_COMMITTER_NAME: 'Op', GIT_COMMITTER_EMAIL: 'op@local' }
  const run = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: '/nonexistent', ...identity },
    }).trim()
  run('update-ref', 'refs/heads/main', run('commit-tree', '-p', 'main', '-m', 'other', 'main^{tree}'))
}
