import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import type { PushedChange, PushedRefFacts } from '@gateway/plugin-git/api'
import { HelperProcess } from '../../git/src/operations/helper-process.ts'
import { repositoryAt } from '../../git/src/operations/repository.ts'
import { DEFAULT_LIMITS } from '../../git/src/rules/limits.ts'
import { refusePush } from '../src/operations/refuse-push.ts'
import { blobId } from '../src/rules/atom-file.ts'
import { PushedCommits, refFault, tipFault } from '../src/rules/push.ts'
import { commit, gitIn, plainGit, start, type TestGateway } from './support.ts'

let gateway: TestGateway
let clone: string
let helper: HelperProcess
let atom: string

before(async () => {
  gateway = await start()
  atom = (await commit(gateway)).atom.path
  clone = await mkdtemp(join(tmpdir(), 'gateway-push-'))
  gitIn(clone, 'clone', '-q', `${gateway.dataDir}/brains/local.git`, '.')
  helper = new HelperProcess({ program: 'git', limits: DEFAULT_LIMITS, idleSeconds: 60, heapMegabytes: 64 })
})
after(async () => {
  await helper[Symbol.asyncDispose]()
  await gateway.stop()
  await rm(clone, { recursive: true })
})

type Change = () => unknown
const brain = () => repositoryAt(`${gateway.dataDir}/brains/local.git`, helper)
const quarantine = () => ({ objects: join(clone, '.git', 'objects'), bytes: 0 })

/** Returns the verdict on a push of commits, one for each change; the objects of the clone are the ones in quarantine. */
async function verdict(ref: string, ...changes: readonly Change[]): Promise<string | undefined> {
  const main = plainGit(gateway, 'rev-parse', 'main').trim()
  gitIn(clone, 'checkout', '-q', '-f', '-B', 'work', main)
  gitIn(clone, 'clean', '-qfd')
  for (const change of changes) {
    await change()
    gitIn(clone, 'add', '-A')
    gitIn(clone, 'commit', '-q', '--allow-empty', '-m', 'work')
  }
  const push = { ref, from: ref === MAIN ? main : undefined, to: gitIn(clone, 'rev-parse', 'HEAD').trim() }
  return refusePush(brain(), [push], quarantine())
}
const MAIN = 'refs/heads/main'
const IDEA = 'refs/heads/idea/mine'
const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(clone, path)), { recursive: true })
  await writeFile(join(clone, path), text)
}
const pathOf = (text: string, slug = 'pushed', stamp = '20260106T090000Z', folder = 'repos/web/session') =>
  `${folder}/${stamp.slice(0, 8)}/${stamp}-${slug}-${blobId(text).slice(0, 8)}.md`
const putAtom = (text: string, ...place: [slug?: string, stamp?: string, folder?: string]) => put(pathOf(text, ...place), text)
const front = (lines: Record<string, string>, content = '# Pushed') =>
  `---\n${Object.entries(lines)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')}---\n\n${content}`

test('new atoms are welcome on main and on branches, with front matter or without', async () => {
  assert.equal(await verdict(MAIN, () => putAtom('# Pushed')), undefined)
  assert.equal(
    await verdict('refs/heads/session/mine', () => putAtom(front({ kind: 'session', repo: 'web', slug: 'pushed', topic: 'docs' }))),
    undefined,
  )
  assert.equal(await verdict(IDEA, () => put(`pins/${atom}`, 'pinned')), undefined)
  assert.equal(
    await verdict(IDEA, () =>
      putAtom(front({ kind: 'session', repo: '"my repo"' }), 'pushed', '20260106T090000Z', 'repos/my%20repo/session'),
    ),
    undefined,
  )
})

test('a push that drops or rewrites an atom is refused with a sentence that names it', async () => {
  for (const ref of [MAIN, IDEA]) {
    assert.match((await verdict(ref, () => rm(join(clone, atom)))) ?? '', new RegExp(`never rewritten, and ${atom} is dropped`))
    assert.match((await verdict(ref, () => put(atom, 'other'))) ?? '', new RegExp(`${atom} is changed`))
  }
})

test('each commit of a push is judged, not the last one alone', async () => {
  const undo = (path: string) => () => rm(join(clone, path))
  assert.match((await verdict(MAIN, () => put('src/code.ts', 'x'), undo('src/code.ts'))) ?? '', /src\/code\.ts has no place/)
  assert.match((await verdict(IDEA, undo(atom), () => gitIn(clone, 'checkout', 'HEAD~1', '--', atom))) ?? '', /never rewritten/)
  const named = pathOf('# Right')
  assert.match((await verdict(IDEA, () => put(named, '# Wrong'), undo(named))) ?? '', /must end with the first 8 digits of its blob/)
  assert.equal(await verdict(IDEA, () => putAtom('# Mine'), undo(pathOf('# Mine'))), undefined, 'an atom of the push itself may go again')
})

test('a merge that keeps one side alone drops no atom of the other', async () => {
  const keepOurs = () => {
    gitIn(clone, 'checkout', '-q', '-B', 'other', 'work~1')
    gitIn(clone, 'rm', '-rq', '.')
    gitIn(clone, 'commit', '-q', '-m', 'nothing')
    gitIn(clone, 'merge', '-q', '-s', 'ours', 'work', '-m', 'ours')
  }
  assert.match((await verdict(IDEA, () => putAtom('# Base'), keepOurs)) ?? '', /never rewritten/)
})

test('links, programs and submodules are refused, wherever they would lie', async () => {
  const text = '/etc/passwd'
  const link = async (path: string) => {
    await mkdir(dirname(join(clone, path)), { recursive: true })
    await rm(join(clone, path), { force: true })
    await symlink(text, join(clone, path))
  }
  assert.match((await verdict(MAIN, () => link(pathOf(text)))) ?? '', /must be a plain file \(mode 100644\); got mode 120000/)
  assert.match((await verdict(MAIN, () => link('README.md'))) ?? '', /README\.md must be a plain file/)
  const program = async () => {
    await putAtom('# Run')
    await chmod(join(clone, pathOf('# Run')), 0o755)
  }
  assert.match((await verdict(MAIN, program)) ?? '', /got mode 100755/)
  const head = gitIn(clone, 'rev-parse', 'HEAD').trim()
  const submodule = () => {
    gitIn(clone, 'update-index', '--add', '--cacheinfo', `160000,${head},${pathOf('# Sub')}`)
    gitIn(clone, 'commit', '-q', '-m', 'sub')
  }
  assert.match((await verdict(IDEA, submodule)) ?? '', /got mode 160000/)
})

test('what a commit would not write is refused: names, times, topics, front matter, sizes', async () => {
  const cases: readonly [Change, RegExp][] = [
    [() => put('repos/web/session/20260106/20260106T090000Z-x-deadbeef.md', '# X'), /must end with the first 8 digits of its blob/],
    [() => putAtom('# X', 'x', '20261306T090000Z'), /must begin with a time in UTC/],
    [() => putAtom('# X', 'a..b'), /must have a slug/],
    [() => putAtom('# X', 'x'.repeat(81)), /must have a slug/],
    [() => putAtom('# X', 'x', '20260106T090000Z', 'repos/a..b/session'), /folder of a repo/],
    [() => putAtom('# X', 'x', '20260106T090000Z', 'repos/%77eb/session'), /folder of a repo/],
    [() => put(pathOf('# X').replace('/20260106/', '/20260107/'), '# X'), /folder of its day/],
    [() => putAtom(' \n'), /must not be blank/],
    [() => putAtom(front({ topic: '"a/b: c"' })), /`topic` must be/],
    [() => putAtom(front({ kind: 'handoff' })), /`kind` must be session/],
    [() => putAtom(front({ repo: 'app' })), /`repo` must be web/],
    [() => putAtom(front({ slug: 'other' })), /`slug` must be pushed/],
    [() => putAtom(front({ created: 'yesterday' })), /`created` must be a time/],
    [() => putAtom(front({ supersedes: '../x' })), /`supersedes` must be the path of an atom/],
    [() => putAtom(front({ code_sha: 'xyz' })), /`code_sha` must be 7 to 64 hex digits/],
    [() => putAtom('x'.repeat(2_000_001)), /at most 2000000 characters/],
    [() => putAtom('x'.repeat(7_000_000)), /at most \d+ bytes/],
    [() => put(`pins/${pathOf('# X')}`, 'x'.repeat(5_000)), /at most 4096 bytes/],
    [() => put('repos/web/topics/a..b.md', 'x'), /named after a topic/],
    [() => putAtom(front({ kind: 'memory', repo: 'web' }), 'x', '20260106T090000Z', 'memory'), /`repo` must be omitted/],
  ]
  for (const [change, says] of cases) assert.match((await verdict(IDEA, change)) ?? 'nothing', says)
})

test('files without a place in a brain, and refs that are not open to pushes, are refused', async () => {
  assert.match((await verdict(MAIN, () => put('src/code.ts', 'x'))) ?? '', /src\/code\.ts has no place/)
  for (const ref of ['refs/heads/feature', 'refs/tags/v1', 'refs/anchors/web', 'refs/heads/session/a/b', 'refs/heads/idea/a b'])
    assert.match((await verdict(ref, () => putAtom('# X'))) ?? '', /not open to pushes/)
})

test('a branch is deleted once main has its atoms, and not before', async () => {
  await gateway.call('brain_branch', { slug: 'away' })
  const own = (await commit(gateway, { slug: 'away', content: 'away' })).atom.path
  const remove = () =>
    refusePush(
      brain(),
      [{ ref: 'refs/heads/idea/away', from: plainGit(gateway, 'rev-parse', 'idea/away').trim(), to: undefined }],
      quarantine(),
    )
  assert.match((await remove()) ?? '', new RegExp(`never dropped, and main has not ${own} of idea/away`))
  await gateway.call('brain_merge')
  assert.equal(await remove(), undefined)
})

test('main takes descendants only, and stays', () => {
  const facts = (ref: string, to: string | undefined, descends: boolean, truncated = false): PushedRefFacts => ({
    ref,
    from: 'a',
    to,
    descends,
    rewritten: [],
    truncated,
  })
  assert.match(tipFault(facts(MAIN, 'b', false)) ?? '', /not a descendant/)
  assert.match(refFault({ ref: MAIN, from: 'a', to: undefined }) ?? '', /cannot be deleted/)
  assert.equal(tipFault(facts(IDEA, undefined, false)), undefined)
  assert.match(tipFault(facts(IDEA, undefined, false, true)) ?? '', /too much/)
  assert.match(tipFault(facts(IDEA, 'b', true, true)) ?? '', /too much for one push/)
})

test('a push has at most 20,000 commits, 20,000 files and a gigabyte of them', () => {
  const change = (size: number): PushedChange => ({ status: 'A', path: 'README.md', blob: '', mode: '100644', size })
  const many = new PushedCommits()
  for (let n = 0; n < 20_000; n++) assert.equal(many.fault({ sha: String(n), changes: [] }), undefined)
  assert.match(many.fault({ sha: 'more', changes: [] }) ?? '', /up to 20000 commits and 20000 files/)
  const files = new PushedCommits()
  assert.equal(files.fault({ sha: 'a', changes: Array.from({ length: 20_000 }, () => change(1)) }), undefined)
  assert.match(files.fault({ sha: 'b', changes: [change(1)] }) ?? '', /up to 20000 commits and 20000 files/)
  const large = new PushedCommits()
  for (let n = 0; n < 1_024; n++) assert.equal(large.fault({ sha: String(n), changes: [change(1_048_576)] }), undefined)
  assert.match(large.fault({ sha: 'more', changes: [change(1)] }) ?? '', /up to 1073741824 bytes/)
})
