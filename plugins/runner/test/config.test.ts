import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentFor } from '../src/rules/claim-filter.ts'
import { readConfig } from '../src/rules/config.ts'

const around = { folder: '/srv/web/sub', hostname: 'm1', clone: '/srv/web', stateHome: '/state' }
const read = (value: object, more: object = {}) => readConfig(JSON.stringify(value), 'runner.json', { ...around, ...more })

test('without runner.json the clone of the current folder is the one repo, for claude', () => {
  const config = readConfig(undefined, 'runner.json', around)
  assert.deepEqual(config.lanes, [{ name: 'primary', slots: 1, agents: { '*': 'claude' }, account: undefined, fleetSlots: 1_000 }])
  assert.deepEqual(Object.keys(config.repos), ['web'])
  const { path, deliver, finish } = config.repos.web ?? {}
  assert.deepEqual([path, deliver, finish], ['/srv/web', 'branch', 'review'])
  assert.deepEqual([config.machine, config.stateDir, config.leaseSeconds], ['m1', '/state/gateway/runner', 120])
})

test('members under * hold for every repo, and its own come first', () => {
  const { repos } = read({ repos: { '*': { check: 'make', deliver: 'push' }, a: { path: '../a' }, b: { check: 'npm test' } } })
  assert.deepEqual(
    Object.values(repos).map(({ name, path, check, deliver }) => [name, path, check, deliver]),
    [
      ['a', '/srv/web/a', 'make', 'push'],
      ['b', '/srv/web/sub/b', 'npm test', 'push'],
    ],
  )
})

const faults: readonly [object, RegExp][] = [
  [{ lanes: { primary: { slots: 0 } } }, /^runner\.json: lanes\.primary\.slots must be at least 1\.$/],
  [{ lanes: { second: {} } }, /^runner\.json: lanes\.second is not known\.$/],
  [{ lanes: {} }, /^runner\.json: lanes must have a lane/],
  [{ lanes: [] }, /^runner\.json: lanes must be an object\.$/],
  [{ lanes: { primary: { agents: { '*': 1 } } } }, /lanes\.primary\.agents\.\* must be a string/],
  [{ lanes: { primary: { account: '' } } }, /lanes\.primary\.account must have at least 1 character/],
  [{ lanes: { merge: { status: 'pending' } } }, /lanes\.merge\.status must be one of done, review/],
  [{ reposs: {} }, /^runner\.json: reposs is not known\.$/],
  [{ repos: { web: 'here' } }, /repos\.web must be an object/],
  [{ repos: { web: { deliver: 'mail' } } }, /repos\.web\.deliver must be one of branch, push, pr, none/],
  [{ repos: { web: { remote: '--upload-pack=evil' } } }, /repos\.web\.remote must match/],
  [{ repos: { '': {} } }, /repos has an entry without a name/],
  [{ limits: { minutes: 'ten' } }, /limits\.minutes must be a number/],
  [{ limits: { usd: 0 } }, /limits\.usd must be more than 0/],
  [{ limits: null }, /limits must be an object/],
  [{ env: 'PATH' }, /env must be an array/],
  [{ sandbox: ['bwrap', 3] }, /sandbox\.1 must be a string/],
  [{ leaseSeconds: 1.5 }, /leaseSeconds must be a whole number/],
  [{ machine: 'two words' }, /machine must match/],
  [{ lanes: { primary: { agents: { '*': 'nobody' } } } }, /lanes\.primary\.agents\.\* names the agent nobody, which agents does not have/],
  [{ lanes: { primary: { agents: { '*': 'constructor' } } } }, /lanes\.primary\.agents\.\* names the agent constructor, which agents/],
  [{ agents: { mine: { adapter: 'shell' } } }, /agents\.mine\.command is missing/],
  [{ agents: { mine: { adapter: 'hal' } } }, /agents\.mine\.adapter must be one of claude, codex, gemini, shell, scripted/],
  [{ agents: { mine: {} } }, /agents\.mine\.adapter|agents\.mine must have/],
]
for (const [value, fault] of faults) {
  test(`${JSON.stringify(value)} is refused, and the member is named`, () => {
    assert.throws(
      () => read(value),
      (error: Error & { exitCode?: number }) => fault.test(error.message) && error.exitCode === 64,
    )
  })
}

test('a folder outside a clone needs repos', () => {
  assert.throws(() => readConfig(undefined, 'runner.json', { ...around, clone: undefined }), /repos is missing/)
})

test('text that is no JSON, and JSON that is no object, is refused with the name of the file', () => {
  for (const text of ['', '{', 'null', '[]', '"x"', '1']) {
    assert.throws(
      () => readConfig(text, 'runner.json', around),
      (error: Error & { exitCode?: number }) =>
        /^runner\.json(?:: the file must be an object| is no JSON)/.test(error.message) && error.exitCode === 64,
      text,
    )
  }
})

test('a task for an agent whose name every object has goes to the agent of all', () => {
  const [lane] = read({}).lanes
  assert.equal(lane && agentFor(lane, { assignedAgent: 'constructor' }), 'claude')
})
