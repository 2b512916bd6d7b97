import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { benches } from './support.ts'

const bench = benches()
const which = (program: string): string => execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
const lanes = { primary: { agents: { '*': 'mine' } } }
const mine = (agent: object) => ({ lanes, agents: { mine: agent } })

const faults: readonly { readonly name: string; readonly config?: object; readonly repo?: object; readonly says: RegExp }[] = [
  {
    name: 'a folder that does not exist',
    repo: { path: 'nowhere' },
    says: /repos\.web-\d+\.path must be a git clone; got \S+\/nowhere/,
  },
  {
    name: 'a folder that does not exist, with pull requests,',
    repo: { path: 'nowhere', deliver: 'pr', pullRequest: 'true' },
    says: /^[^;]*repos\.web-\d+\.path must be a git clone; got \S+\/nowhere\.$/m,
  },
  { name: 'a folder that is no clone', repo: { path: 'plain' }, says: /repos\.web-\d+\.path must be a git clone; got \S+\/plain/ },
  { name: 'a clone without commits', repo: { path: 'empty' }, says: /repos\.web-\d+ has no commit on main yet/ },
  { name: 'a branch that the clone lacks', repo: { base: 'trunk' }, says: /repos\.web-\d+\.base must be a branch of \S+; got trunk/ },
  {
    name: 'a remote that the clone lacks',
    repo: { deliver: 'push' },
    says: /repos\.web-\d+\.remote must be a remote of \S+; got origin/,
  },
  { name: 'a state folder that is a file', config: { stateDir: 'file' }, says: /stateDir must be a folder that can be written: / },
  {
    name: 'an agent that is not installed',
    config: mine({ adapter: 'claude', command: 'no-such-agent' }),
    says: /agents\.mine\.command must be a program; no-such-agent is not installed/,
  },
  {
    name: 'an agent that is no program',
    config: mine({ adapter: 'codex', command: '/etc' }),
    says: /agents\.mine\.command must be a program; \/etc is not installed/,
  },
  { name: 'a sandbox that is not installed', config: { sandbox: ['no-such-box'] }, says: /sandbox names the program no-such-box, which/ },
]
for (const { name, config, repo, says } of faults) {
  test(`${name} is refused before a task is taken, and the member is named`, async (t) => {
    const b = await bench(t, config, repo)
    mkdirSync(join(b.folder, 'plain'))
    writeFileSync(join(b.folder, 'file'), '')
    b.git('init', '--quiet', '--initial-branch', 'main', join(b.folder, 'empty'))
    const taskId = await b.task('echo two > b.txt')
    const { code, stderr } = await b.once()
    assert.deepEqual([code, says.test(stderr)], [64, true], stderr)
    const { status, startedAt } = await b.get(taskId)
    assert.deepEqual([status, startedAt], ['pending', undefined])
  })
}

for (const { name, gh, repo, says } of [
  {
    name: 'is not installed',
    gh: undefined,
    repo: {},
    says: /repos\.web-\d+\.deliver is pr, for which gh must be installed; install it, or set repos\.web-\d+\.pullRequest\.$/m,
  },
  {
    name: 'is signed in nowhere',
    gh: 'echo "You are not logged into any GitHub hosts. To log in, run: gh auth login" >&2; exit 1',
    repo: {},
    says: /repos\.web-\d+\.deliver is pr, for which gh must be signed in; run `gh auth login`/,
  },
  {
    name: 'is missing for a command of one’s own',
    gh: undefined,
    repo: { pullRequest: 'no-such-forge open' },
    says: /repos\.web-\d+\.pullRequest must begin with a program; no-such-forge is not installed/,
  },
]) {
  test(`a program for pull requests that ${name} is refused before a task is taken`, async (t) => {
    const b = await bench(t, {}, { deliver: 'pr', ...repo })
    b.git('remote', 'add', 'origin', b.repo)
    const programs = join(b.folder, 'programs')
    mkdirSync(programs)
    for (const program of ['git', 'sh']) symlinkSync(which(program), join(programs, program))
    if (gh !== undefined) writeFileSync(join(programs, 'gh'), `#!/bin/sh\n${gh}\n`, { mode: 0o755 })
    const taskId = await b.task('echo two > b.txt')
    b.env.PATH = programs
    const { code, stderr } = await b.once()
    assert.deepEqual([code, says.test(stderr)], [64, true], stderr)
    assert.equal((await b.get(taskId)).status, 'pending')
  })
}

test('a clone on no branch, with changes of its own and a name in other letters, is worked on and left as it is', async (t) => {
  const b = await bench(t, { stateDir: 'own städe ✓' })
  const path = join(b.folder, 'klön ✓ "x"')
  b.git('clone', '--quiet', b.repo, path)
  b.git('-C', path, 'checkout', '--quiet', '--detach')
  writeFileSync(join(path, 'a.txt'), 'mine\n')
  b.configure({ repos: { [b.name]: { path, check: 'test -s "ä b.txt"' } } })
  const taskId = await b.task('echo two > "ä b.txt"')
  const { code, stdout, stderr } = await b.once()
  assert.equal(code, 0, stdout + stderr)
  assert.equal(b.git('-C', path, 'show', `task/${taskId}:ä b.txt`), 'two')
  assert.equal(b.git('-C', path, 'status', '--porcelain', '--untracked-files=all'), ' M a.txt')
  assert.equal(existsSync(join(b.folder, 'own städe ✓', 'runs')), true)
})
