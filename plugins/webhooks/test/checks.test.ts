import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNews } from '../src/rules/code-hosting.ts'

const repository = { name: 'web', full_name: 'acme/web', html_url: 'https://code.example/acme/web' }
const at = '2026-01-05T09:00:00.000Z'
const read = (event: string, body: object) => readNews(event, { repository, ...body }, at)
const repo = { name: 'web', fullName: 'acme/web' }

test('a check run that has failed is told with its pull requests, its page and its summary', () => {
  const check_run = {
    name: 'unit tests',
    head_sha: 'c0ffee',
    conclusion: 'failure',
    html_url: 'https://code.example/runs/1',
    output: { title: '2 of 40 tests failed' },
    check_suite: { head_branch: 'fix/it' },
    pull_requests: [{ number: 7 }, { number: 'x' }],
  }
  assert.deepEqual(read('check_run', { action: 'completed', check_run }), {
    kind: 'check',
    check: {
      repo,
      name: 'unit tests',
      failed: true,
      commit: 'c0ffee',
      branch: 'fix/it',
      url: 'https://code.example/runs/1',
      summary: '2 of 40 tests failed',
      pullRequests: ['https://code.example/acme/web/pull/7'],
      receivedAt: at,
    },
  })
})

test('check suites, workflow runs and commit statuses are told alike', () => {
  const suite = { head_sha: 'c0ffee', head_branch: 'fix/it', conclusion: 'timed_out', app: { name: 'Builder' }, pull_requests: [] }
  const run = { name: 'CI', head_sha: 'c0ffee', head_branch: 'fix/it', conclusion: 'success', pull_requests: [] }
  const status = { sha: 'c0ffee', state: 'error', context: 'ci/deploy', description: 'It broke', branches: [{ name: 'fix/it' }] }
  const seen = [read('check_suite', { check_suite: suite }), read('workflow_run', { workflow_run: run }), read('status', status)].map(
    (news) => (news?.kind === 'check' ? [news.check.name, news.check.failed, news.check.branch, news.check.commit] : undefined),
  )
  assert.deepEqual(seen, [
    ['Builder', true, 'fix/it', 'c0ffee'],
    ['CI', false, 'fix/it', 'c0ffee'],
    ['ci/deploy', true, 'fix/it', 'c0ffee'],
  ])
})

test('the branch of a fork is not told', () => {
  const run = { name: 'CI', head_sha: 'c0ffee', head_branch: 'fix/it', conclusion: 'failure', pull_requests: [] }
  const branch = (full_name: string) => {
    const news = read('workflow_run', { workflow_run: { ...run, head_repository: { full_name } } })
    return news?.kind === 'check' ? news.check.branch : undefined
  }
  assert.deepEqual([branch('acme/web'), branch('x/web')], ['fix/it', undefined])
})

test('a check that still runs, was cancelled, or names no commit tells nothing', () => {
  const check_run = { name: 'unit tests', head_sha: 'c0ffee', pull_requests: [] }
  assert.equal(read('check_run', { check_run: { ...check_run, conclusion: null } }), undefined)
  assert.equal(read('check_run', { check_run: { ...check_run, conclusion: 'cancelled' } }), undefined)
  assert.equal(read('check_run', { check_run: { name: 'x', conclusion: 'failure' } }), undefined)
  assert.equal(read('status', { sha: 'c0ffee', state: 'pending', context: 'ci' }), undefined)
  assert.equal(read('constructor', { constructor: check_run }), undefined)
})
