import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNews } from '../src/rules/code-hosting.ts'

const project = { name: 'Web site', path_with_namespace: 'acme/tools/web' }
const repo = { name: 'web', fullName: 'acme/tools/web' }
const at = '2026-01-05T09:00:00.000Z'
const url = 'https://code.example/acme/tools/web/-/merge_requests/7'
const read = (body: object) => readNews('any', { project, ...body }, at)

test('a push of a host with merge requests is told as any push', () => {
  const commits = [{ id: 'c0ffee1', message: 'Fix it', timestamp: at }]
  const push = { object_kind: 'push', ref: 'refs/heads/main', after: 'c0ffee1', user_name: 'Ada', commits }
  const commit = { id: 'c0ffee1', message: 'Fix it', at }
  assert.deepEqual(read(push), {
    kind: 'push',
    push: { repo, branch: 'main', commit: 'c0ffee1', by: 'Ada', commits: [commit], receivedAt: at },
  })
  const tag = read({ object_kind: 'tag_push', ref: 'refs/tags/v1', after: 'c0ffee1', user_username: 'ada' })
  assert.deepEqual(tag, { kind: 'push', push: { repo, tag: 'v1', commit: 'c0ffee1', by: 'ada', receivedAt: at } })
})

test('a repo is told with its addresses, or its page if the host tells no other', () => {
  const push = { ref: 'refs/heads/main', after: 'c0ffee1' }
  const repoOf = (event: ReturnType<typeof read>) => event?.kind === 'push' && event.push.repo
  const [http, ssh, page] = ['https://code.example/acme/web.git', 'git@code.example:acme/web.git', 'https://code.example/acme/web']
  const plain = { name: 'web', fullName: 'acme/web' }
  for (const [addresses, remotes] of [
    [{ ssh_url: ssh, html_url: page, clone_url: http }, [http, ssh]],
    [{ html_url: page }, undefined],
    [{ clone_url: 7, ssh_url: 'two words', html_url: `${page}/${'a'.repeat(500)}` }, undefined],
  ] as const) {
    const told = readNews('push', { ...push, repository: { name: 'web', full_name: 'acme/web', ...addresses } }, at)
    assert.deepEqual(repoOf(told), remotes === undefined ? plain : { ...plain, remotes })
  }
  const addresses = { git_ssh_url: ssh, web_url: page, git_http_url: http }
  const told = readNews('any', { object_kind: 'push', ...push, project: { path_with_namespace: 'acme/web', ...addresses } }, at)
  assert.deepEqual(repoOf(told), { ...plain, remotes: [http, ssh] })
})

test('a merge request is told as a pull request, in each of its states', () => {
  const attributes = {
    iid: 7,
    url,
    title: 'Fix',
    description: 'task-1',
    source_branch: 'fix',
    target_branch: 'main',
    source_project_id: 3,
    target_project_id: 3,
    last_commit: { id: 'c0ffee' },
  }
  const told = (state: string) => read({ object_kind: 'merge_request', object_attributes: { ...attributes, state } })
  const pullRequest = {
    repo,
    number: 7,
    url,
    branch: 'fix',
    base: 'main',
    isInside: true,
    commit: 'c0ffee',
    title: 'Fix',
    text: 'task-1',
    receivedAt: at,
  }
  for (const [state, ours] of [
    ['opened', 'open'],
    ['locked', 'open'],
    ['closed', 'closed'],
    ['merged', 'merged'],
  ] as const)
    assert.deepEqual(told(state), { kind: 'pull-request', pullRequest: { ...pullRequest, state: ours } })
  const fork = read({ object_kind: 'merge_request', object_attributes: { ...attributes, source_project_id: 4 } })
  assert.equal(fork?.kind === 'pull-request' && fork.pullRequest.isInside, false)
})

test('a pipeline that has ended is told as a check of its merge request; others, and events of other kinds, are not', () => {
  const pipeline = (status: string, source_project_id = 3) => {
    const object_attributes = { status, sha: 'c0ffee', ref: 'fix', url: 'https://code.example/pipelines/1' }
    return read({ object_kind: 'pipeline', object_attributes, merge_request: { iid: 7, url, source_project_id, target_project_id: 3 } })
  }
  const check = {
    repo,
    name: 'pipeline',
    commit: 'c0ffee',
    branch: 'fix',
    url: 'https://code.example/pipelines/1',
    pullRequests: [url],
    receivedAt: at,
  }
  assert.deepEqual(pipeline('failed'), { kind: 'check', check: { ...check, failed: true } })
  assert.deepEqual(pipeline('success'), { kind: 'check', check: { ...check, failed: false } })
  const fork = pipeline('failed', 4)
  assert.equal(fork?.kind === 'check' && fork.check.branch, undefined)
  for (const status of ['running', 'canceled', 'constructor']) assert.equal(pipeline(status), undefined)
  for (const odd of [{ object_kind: 'note' }, { object_kind: 'merge_request' }, { object_kind: 'pipeline', object_attributes: [] }])
    assert.equal(read(odd), undefined)
  assert.equal(readNews('push', { object_kind: 'push', ref: 'refs/heads/main' }, at), undefined, 'without a project')
})
