import assert from 'node:assert/strict'
import { test } from 'node:test'
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
  [{ lanes: { second: {} } }, /lanes/],
  [{ reposs: {} }, /reposs/],
  [{ limits: { minutes: 'ten' } }, /limits\.minutes must be a number/],
  [{ lanes: { primary: { agents: { '*': 'nobody' } } } }, /lanes\.primary\.agents\.\* names the agent nobody, which agents does not have/],
  [{ agents: { mine: { adapter: 'shell' } } }, /agents\.mine\.command is missing/],
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
