import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNews } from '../src/rules/code-hosting.ts'

const at = '2026-01-05T09:00:00.000Z'
const repository = { name: 'web', full_name: 'acme/web', html_url: 'https://code.example/acme/web' }
const url = 'https://code.example/acme/web/pull/7'
const pull_request = { html_url: url, number: 7, head: { ref: 'fix/it', repo: repository } }
const author = { user: { login: 'ann' }, author_association: 'MEMBER' }
const read = (event: string, body: object) => readNews(event, { repository, pull_request, ...body }, at)
const told = { repo: { name: 'web', fullName: 'acme/web' }, pullRequest: url, branch: 'fix/it', by: 'ann', receivedAt: at }

test('a review that requests changes is told with its text, its author and its page', () => {
  const review = { ...author, state: 'changes_requested', body: 'Please test it.\n', html_url: `${url}#review-1` }
  assert.deepEqual(read('pull_request_review', { action: 'submitted', review }), {
    kind: 'review',
    review: { ...told, changesRequested: true, text: 'Please test it.', url: `${url}#review-1` },
  })
})

test('a comment on a line is told with its place, and asks for no changes by itself', () => {
  const comment = { ...author, path: 'src/a.ts', line: null, original_line: 12, body: 'Why?', html_url: `${url}#r1` }
  assert.deepEqual(read('pull_request_review_comment', { action: 'created', comment }), {
    kind: 'review',
    review: { ...told, changesRequested: false, text: 'Why?', file: 'src/a.ts', line: 12, url: `${url}#r1` },
  })
})

test('a review tells the branch of a pull request that came from outside the repo as none', () => {
  const review = { ...author, state: 'changes_requested', body: 'Do it.' }
  const branch = (request: object) => {
    const news = read('pull_request_review', { action: 'submitted', review, pull_request: { ...pull_request, ...request } })
    return news?.kind === 'review' ? news.review.branch : undefined
  }
  const fork = { head: { ref: 'fix/it', repo: { full_name: 'x/web' } } }
  assert.deepEqual([branch(fork), branch({ head: { ref: 'fix/it', repo: null } })], ['', ''])
  assert.equal(branch({ ...fork, author_association: 'OWNER' }), 'fix/it')
  const noted = note({}, { source_project_id: 4 })
  assert.equal(noted?.kind === 'review' && noted.review.branch, '')
})

test('approvals, edits, reviews without a word, and everybody who does not belong to the repo tell nothing', () => {
  const review = { ...author, state: 'changes_requested', body: 'Do it.' }
  const submitted = (more: object) => read('pull_request_review', { action: 'submitted', review: { ...review, ...more } })
  assert.equal(submitted({ state: 'approved' }), undefined)
  assert.equal(submitted({ state: 'commented', body: null }), undefined)
  for (const author_association of ['NONE', 'CONTRIBUTOR', 'FIRST_TIMER', undefined])
    assert.equal(submitted({ author_association }), undefined)
  assert.equal(read('pull_request_review', { action: 'dismissed', review }), undefined)
  assert.equal(read('pull_request_review_comment', { action: 'edited', comment: { ...author, body: 'x' } }), undefined)
  assert.equal(read('pull_request_review', { action: 'submitted', review: [], pull_request: 'x' }), undefined)
})

const project = { name: 'web', path_with_namespace: 'acme/web' }
const page = 'https://code.example/acme/web/-/merge_requests/7'
const readProject = (body: object) => readNews('any', { project, user: { username: 'ann' }, ...body }, at)
const ownBranch = { source_project_id: 3, target_project_id: 3 }
const note = (attributes: object, request: object = {}) =>
  readProject({
    object_kind: 'note',
    object_attributes: {
      noteable_type: 'MergeRequest',
      action: 'create',
      note: 'Why?',
      author_id: 5,
      url: `${page}#note_1`,
      ...attributes,
    },
    merge_request: { iid: 7, source_branch: 'fix/it', ...ownBranch, assignee_ids: [], reviewer_ids: [5], ...request },
  })
const toldProject = { ...told, pullRequest: page }

test('a note of a reviewer or an assignee of a merge request is told as a comment', () => {
  const position = { new_path: 'src/a.ts', new_line: 12 }
  const review = { ...toldProject, changesRequested: false, text: 'Why?', url: `${page}#note_1` }
  assert.deepEqual(note({ position }), { kind: 'review', review: { ...review, file: 'src/a.ts', line: 12 } })
  assert.deepEqual(note({}, { assignee_ids: [5], reviewer_ids: [] }), { kind: 'review', review })
})

test('notes of others, notes of the host itself, internal and edited ones, and those on other things tell nothing', () => {
  assert.equal(note({ author_id: 6 }), undefined)
  for (const odd of [{ system: true }, { internal: true }, { confidential: true }, { action: 'update' }, { noteable_type: 'Issue' }])
    assert.equal(note(odd), undefined, JSON.stringify(odd))
})

test('a reviewer who begins to request changes of a merge request requests them once', () => {
  const change = (was: string, is: string) => {
    const reviewers = { previous: [{ id: 5, state: was }], current: [{ id: 5, username: 'ann', state: is }] }
    return readProject({
      object_kind: 'merge_request',
      object_attributes: {
        iid: 7,
        url: page,
        ...ownBranch,
        source_branch: 'fix/it',
        target_branch: 'main',
        state: 'opened',
        action: 'update',
      },
      changes: { reviewers },
    })
  }
  assert.deepEqual(change('unreviewed', 'requested_changes'), { kind: 'review', review: { ...toldProject, changesRequested: true } })
  assert.equal(change('requested_changes', 'requested_changes')?.kind, 'pull-request')
  assert.equal(change('unreviewed', 'approved')?.kind, 'pull-request')
})
