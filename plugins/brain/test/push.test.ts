import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { PushFacts } from '@gateway/plugin-git/api'
import { HelperProcess } from '../../git/src/operations/helper-process.ts'
import { repositoryAt } from '../../git/src/operations/repository.ts'
import { pushFault } from '../src/rules/push.ts'
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
  helper = new HelperProcess({ program: 'git', idleSeconds: 60, heapMegabytes: 64 })
})
after(async () => {
  await helper[Symbol.asyncDispose]()
  await gateway.stop()
  await rm(clone, { recursive: true })
})

/** What would be said of a push of what the clone has now; its objects are the ones in quarantine. */
async function said(ref: string, change: () => Promise<unknown>): Promise<string | undefined> {
  const main = plainGit(gateway, 'rev-parse', 'main').trim()
  gitIn(clone, 'checkout', '-q', '-B', 'work', main)
  await change()
  gitIn(clone, 'add', '-A')
  gitIn(clone, 'commit', '-q', '--allow-empty', '-m', 'work')
  const push = { ref, from: ref === 'refs/heads/main' ? main : undefined, to: gitIn(clone, 'rev-parse', 'HEAD').trim() }
  const repo = repositoryAt(`${gateway.dataDir}/brains/local.git`, helper)
  return pushFault(push, await repo.pushFacts(push, { objects: join(clone, '.git', 'objects') }))
}
const put = async (path: string, text = 'x'): Promise<void> => {
  await mkdir(join(clone, path, '..'), { recursive: true })
  await writeFile(join(clone, path), text)
}
const NEW = 'repos/web/session/20260106/20260106T090000Z-pushed-0123abcd.md'

test('new atoms are welcome on main and on branches', async () => {
  assert.equal(await said('refs/heads/main', () => put(NEW)), undefined)
  assert.equal(await said('refs/heads/session/mine', () => put(NEW)), undefined)
  assert.equal(await said('refs/heads/idea/mine', () => put(`pins/${NEW}`)), undefined)
})

test('a push that drops or rewrites an atom is refused with a sentence that names it', async () => {
  for (const ref of ['refs/heads/main', 'refs/heads/idea/mine']) {
    assert.match((await said(ref, () => rm(join(clone, atom)))) ?? '', new RegExp(`never rewritten, and ${atom} is dropped`))
    assert.match((await said(ref, () => put(atom, 'other'))) ?? '', new RegExp(`${atom} is changed`))
  }
})

test('files without a place in a brain, and refs that are not open to pushes, are refused', async () => {
  assert.match((await said('refs/heads/main', () => put('src/code.ts'))) ?? '', /src\/code\.ts has no place/)
  for (const ref of ['refs/heads/feature', 'refs/tags/v1', 'refs/anchors/web', 'refs/heads/session/a/b'])
    assert.match((await said(ref, () => put(NEW))) ?? '', /not open to pushes/)
})

test('a branch is deleted once main has its atoms, and not before', async () => {
  await gateway.call('brain_branch', { slug: 'away' })
  const own = (await commit(gateway, { slug: 'away', content: 'away' })).atom.path
  const remove = async () => {
    const push = { ref: 'refs/heads/idea/away', from: plainGit(gateway, 'rev-parse', 'idea/away').trim(), to: undefined }
    const repo = repositoryAt(`${gateway.dataDir}/brains/local.git`, helper)
    return pushFault(push, await repo.pushFacts(push, { objects: join(clone, '.git', 'objects') }))
  }
  assert.match((await remove()) ?? '', new RegExp(`never dropped, and main has not ${own} of idea/away`))
  await gateway.call('brain_merge')
  assert.equal(await remove(), undefined)
})

test('main takes descendants only, and stays', () => {
  const facts: PushFacts = { descends: false, rewritten: [], added: [], bytes: 0, truncated: false }
  assert.match(pushFault({ ref: 'refs/heads/main', from: 'a', to: 'b' }, facts) ?? '', /not a descendant/)
  assert.match(pushFault({ ref: 'refs/heads/main', from: 'a', to: undefined }, facts) ?? '', /cannot be deleted/)
  assert.equal(pushFault({ ref: 'refs/heads/idea/x', from: 'a', to: undefined }, facts), undefined)
  assert.match(pushFault({ ref: 'refs/heads/idea/x', from: 'a', to: undefined }, { ...facts, truncated: true }) ?? '', /too much/)
  assert.match(pushFault({ ref: 'refs/heads/idea/x', from: 'a', to: 'b' }, { ...facts, descends: true, truncated: true }) ?? '', /too many/)
})
