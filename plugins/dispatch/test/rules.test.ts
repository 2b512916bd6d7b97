import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { isListed, repoOf } from '../src/rules/addresses.ts'
import { refusalOf } from '../src/rules/budget.ts'
import { markerOf } from '../src/rules/marker.ts'
import { type Delegation, modeOf } from '../src/rules/mode.ts'

const both = { to: 'api', repo: 'web' }

test('what a delegation becomes is the first match', () => {
  const cases: [Delegation, string][] = [
    [{ mode: 'auto', childCount: 2, repo: 'web' }, 'swarm'],
    [{ mode: 'auto', childCount: 2, ...both }, 'swarm'],
    [{ mode: 'swarm', childCount: 0, repo: 'web' }, 'swarm'],
    [{ mode: 'swarm', childCount: 3, repo: 'web' }, 'swarm'],
    [{ mode: 'mail', childCount: 0, to: 'api' }, 'mail'],
    [{ mode: 'mail', childCount: 1, ...both }, 'mail'],
    [{ mode: 'auto', childCount: 0, to: 'api' }, 'mail'],
    [{ mode: 'auto', childCount: 1, to: 'api' }, 'mail'],
    [{ mode: 'auto', childCount: 0, ...both }, 'task'],
    [{ mode: 'auto', childCount: 1, repo: 'web' }, 'task'],
    [{ mode: 'task', childCount: 0, ...both }, 'task'],
  ]
  for (const [delegation, mode] of cases) assert.equal(modeOf(delegation), mode, JSON.stringify(delegation))
})

test('a delegation that contradicts itself or lacks what it needs is refused with the argument', () => {
  const wrong: [Delegation, string][] = [
    [{ mode: 'task', childCount: 2, repo: 'web' }, 'children'],
    [{ mode: 'mail', childCount: 2, to: 'api' }, 'children'],
    [{ mode: 'swarm', childCount: 0, to: 'api' }, 'repo'],
    [{ mode: 'auto', childCount: 2, to: 'api' }, 'repo'],
    [{ mode: 'mail', childCount: 0, repo: 'web' }, 'to'],
    [{ mode: 'auto', childCount: 0 }, 'repo'],
    [{ mode: 'task', childCount: 0, to: 'api' }, 'repo'],
  ]
  for (const [delegation, field] of wrong)
    assert.throws(() => modeOf(delegation), refusal('BAD_REQUEST', field), JSON.stringify(delegation))
})

test('a listed address is meant in any case; */ stands for any host', () => {
  const list = ['Director', '*/director']
  for (const address of ['director', 'hub/director']) assert.ok(isListed(address, list), address)
  for (const address of ['web', 'director/web', 'hub/web/director', '/director', 'x-director']) assert.ok(!isListed(address, list), address)
})

test('the repo of an address is what follows its host, else the default, else the address', () => {
  assert.equal(repoOf('hub/web', 'api'), 'web')
  assert.equal(repoOf('hub/web', undefined), 'web')
  assert.equal(repoOf('hub/web', 'Web'), 'Web')
  assert.equal(repoOf('hub/team/web', undefined), 'team/web')
  assert.equal(repoOf('hub', 'api'), 'api')
  assert.equal(repoOf('web', undefined), 'web')
})

test('a budget that is exhausted, or a cap that the spend of all has met, is a reason', () => {
  const [one, two] = [{ spentTodayUsd: 3 }, { spentTodayUsd: 2 }]
  assert.equal(refusalOf([], undefined), undefined)
  assert.equal(refusalOf([one, two], undefined), undefined)
  assert.equal(refusalOf([one, two], 5.01), undefined)
  assert.match(refusalOf([one, two], 5) ?? '', /5 USD has met the cap of 5 USD/)
  assert.equal(refusalOf([one, { spentTodayUsd: 0, exhausted: 'The month is over.' }], 100), 'The month is over.')
})

test('a marker is a line of its own, with its arguments as JSON', () => {
  assert.deepEqual(markerOf('inline: health'), { op: 'health', args: {} })
  assert.deepEqual(markerOf('Look after it', 'Please.\n  Inline: usage-summary {"groupBy":"repo"} \nThanks.'), {
    op: 'usage-summary',
    args: { groupBy: 'repo' },
  })
  const args = { taskId: 'task-1', priority: 'P0' }
  assert.deepEqual(markerOf(`inline: reprioritize ${JSON.stringify(args)}`), { op: 'reprioritize', args })
  const wrong: [string, RegExp][] = [
    ['an inline: health in a sentence', /no line/],
    ['nothing', /no line/],
    ['inline: explode', /no inline op explode; there are: reprioritize, health, reindex/],
    ['inline: health {broken}', /no JSON object/],
    [`inline: health {"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, /too large/],
    ['inline: health {"a":1e999}', /too large/],
    ['inline: reprioritize {"taskId":"task-1"}', /priority is missing/],
    ['inline: reprioritize {"taskId":"task-1","priority":"P0","status":"done"}', /got status/],
  ]
  for (const [title, says] of wrong) {
    const marked = markerOf(title)
    assert.match('fault' in marked ? marked.fault : '', says, title)
  }
})

test('a marker is read in time that grows with the text, whatever it holds', () => {
  // With quadratic time, a text of this length would take hours.
  markerOf('x', `inline: health ${'{'.repeat(1_000_000)}\n`.repeat(2))
  markerOf('x', ' '.repeat(2_000_000))
  markerOf('x', `inline:${' '.repeat(2_000_000)}!`)
  // Looks like a marker without being one, with many spaces: at the maximum length of a description it once blocked everything for 25
  // seconds.
  markerOf('x', `inline: health${' '.repeat(1_000_000)}!`)
  markerOf('x', `inline: health${' '.repeat(1_000_000)}{${'} '.repeat(1_000_000)}!`)
})
