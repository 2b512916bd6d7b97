import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BrainQuotaExceeded, brainWriteGate } from '@gateway/plugin-brain/api'
import { sessionKeeper } from '@gateway/plugin-sessions/api'
import { contribute, definePlugin } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { refusal, startTestGateway, type TestGateway } from '@gateway/testing'
import { model } from '../../plugins/agents/test/support.ts'

const REMOTE = 'https://git.example.org/acme/web.git'

/** The calls of a hook, for a session of the repo `web`. */
function hooks(gateway: TestGateway) {
  const send = async (path: string, body: object) => {
    const answer = await gateway.inject({ method: 'POST', url: `/api/sessions${path}`, body })
    assert.equal(answer.status, 200, answer.body)
    return answer.json()
  }
  return {
    begin: (sessionId: string, more: object = {}) => send('/begin', { sessionId, host: 'claude-code', repo: 'web', ...more }),
    step: (sessionId: string, stepId: string, more: object = {}) =>
      send(`/${sessionId}/steps`, { steps: [{ stepId, at: '2026-01-01T00:00:00.000Z', tool: 'Bash', ...more }] }),
    end: (sessionId: string, more: object = {}) => send(`/${sessionId}/end`, more),
  }
}
const start = (options: object = {}) => startTestGateway({ plugins: standardPlugins, ...options })
const branches = async (gateway: TestGateway): Promise<string[]> =>
  (await gateway.call('brain_status')).openBranches.map(({ branch }: { branch: string }) => branch)

test('a session that left nothing leaves no atom and no branch, and its end may be told twice', async () => {
  await using gateway = await start()
  const { begin, end } = hooks(gateway)
  assert.equal((await begin('s1')).branch, 'session/s1')
  assert.deepEqual(await branches(gateway), ['session/s1'])
  assert.equal((await end('s1')).status, 'closed')
  assert.equal((await end('s1')).merged, false)
  const { openBranches, atoms } = await gateway.call('brain_status')
  assert.deepEqual([openBranches, atoms.total], [[], 0])
})

test('a step id belongs to its session: two sessions may use the same, and a step that is sent again counts once', async () => {
  await using gateway = await start()
  const { begin, step } = hooks(gateway)
  await begin('s1')
  await begin('s2')
  assert.equal((await step('s1', 'a', { target: 'one' })).recorded, 1)
  assert.equal((await step('s2', 'a', { target: 'two' })).recorded, 1)
  assert.equal((await step('s2', 'a', { target: 'two' })).recorded, 0)
  const { activity } = (await gateway.inject({ method: 'GET', url: '/api/sessions/s2/activity' })).json()
  assert.deepEqual(
    activity.filter(({ kind }: { kind: string }) => kind === 'step').map(({ text }: { text: string }) => text),
    ['two'],
  )
})

test('a step that is told again leaves an ended session closed, and its atom alone', async () => {
  await using gateway = await start()
  const { begin, step, end } = hooks(gateway)
  await begin('s1')
  await step('s1', 'a', { target: 'npm test' })
  await end('s1', { commits: ['abc1234 Count in cents'] })
  assert.equal((await step('s1', 'a', { target: 'npm test' })).recorded, 0)
  assert.deepEqual(await branches(gateway), [])
  gateway.clock.advance(48 * 3_600)
  assert.deepEqual((await begin('s2')).unfinished, [])
  assert.equal((await gateway.call('brain_status')).atoms.total, 1)
})

test('a session that goes on after its end leaves one valid atom, which has the commits and the summary of the first end', async () => {
  await using gateway = await start()
  const { begin, step, end } = hooks(gateway)
  await begin('s1')
  await step('s1', 'a', { target: 'npm test' })
  await end('s1', { commits: ['abc1234 Count in cents'], summary: 'All prices are in cents now.' })
  await step('s1', 'late', { files: ['src/late-cart.ts'] })
  assert.equal((await end('s1', { ending: 'silent' })).merged, true)
  for (const query of ['src/late-cart.ts', 'abc1234 Count in cents', 'All prices are in cents now']) {
    const { hits } = await gateway.call('brain_search', { query, repo: 'web' })
    const valid = hits.filter(({ atom }: { atom: { superseded?: boolean } }) => !atom.superseded)
    assert.deepEqual([valid.length, valid[0].atom.title], [1, 'Count in cents'], query)
  }
})

test('of ends at the same time one keeps the session, and the others say that it is closed', async () => {
  await using gateway = await start()
  const { begin, step, end } = hooks(gateway)
  for (const id of ['s1', 's2', 's3']) {
    await begin(id)
    await step(id, 'a', { target: 'npm test' })
    const answers = await Promise.all([end(id), end(id), end(id, { ending: 'crashed' })])
    assert.deepEqual(
      answers.map(({ sessionId: _id, ...answer }) => answer),
      [true, false, false].map((merged) => ({ status: 'closed', merged })),
    )
  }
  const { openBranches, atoms } = await gateway.call('brain_status')
  assert.deepEqual([openBranches, atoms.total], [[], 3])
})

test('a branch that its session has merged already ends it without a fault', async () => {
  await using gateway = await start()
  const { begin, step, end } = hooks(gateway)
  await begin('s1')
  await step('s1', 'a', { target: 'npm test' })
  const merging = gateway.call('brain_merge', { branch: 'session/s1' })
  const done = await end('s1', { commits: ['abc1234 Count in cents'] })
  await merging
  assert.deepEqual([done.status, done.note], ['closed', undefined])
  assert.deepEqual(await branches(gateway), [])
})

test('steps that arrive after the end of a session bring it back, and its next end keeps them', async () => {
  await using gateway = await start()
  const { begin, step, end } = hooks(gateway)
  await begin('s1')
  await end('s1')
  await step('s1', 'late', { tool: 'Edit', target: 'late', files: ['src/late-cart.ts'] })
  const session = async () => (await gateway.inject({ method: 'GET', url: '/api/sessions/s1' })).json()
  const { status, ending } = await session()
  assert.deepEqual([status, ending, await branches(gateway)], ['active', undefined, ['session/s1']])
  gateway.clock.advance(61 * 60)
  await begin('s2')
  assert.equal((await session()).ending, 'silent')
  const { hits } = await gateway.call('brain_search', { query: 'src/late-cart.ts', repo: 'web' })
  assert.deepEqual(
    hits.map(({ atom }: { atom: { slug: string; branch: string } }) => [atom.slug, atom.branch]),
    [['s1', 'main']],
  )
})

test('a new step that cannot bring its session back is not kept, and does so when it is told again', async () => {
  let failsAt: 'observed' | 'begun' | undefined
  const failAt = async (at: typeof failsAt): Promise<void> => {
    if (failsAt === at) throw new Error('No space is left.')
  }
  const failing = definePlugin({
    id: 'failing',
    sdk: '^1.0.0',
    description: 'Keeps nothing, and fails on demand.',
    contributes: [
      contribute(sessionKeeper, {
        create: () => ({
          begun: async () => failAt('begun').then(() => ({})),
          observed: async () => failAt('observed').then(() => 0),
          ended: async () => ({ merged: false }),
        }),
      }),
    ],
  })
  await using gateway = await start({ plugins: [...standardPlugins, failing] })
  const { begin, step, end } = hooks(gateway)
  await begin('s1')
  await step('s1', 'a', { target: 'npm test' })
  await end('s1', { commits: ['abc1234 Count in cents'] })
  const late = { stepId: 'late', at: '2026-01-01T00:00:00.000Z', tool: 'Edit', files: ['src/late-cart.ts'] }
  for (const at of ['observed', 'begun'] as const) {
    failsAt = at
    assert.equal((await gateway.inject({ method: 'POST', url: '/api/sessions/s1/steps', body: { steps: [late] } })).status, 500)
  }
  failsAt = undefined
  const { stepId, ...more } = late
  assert.equal((await step('s1', stepId, more)).recorded, 1)
  assert.equal((await gateway.inject({ method: 'GET', url: '/api/sessions/s1' })).json().status, 'active')
  await end('s1')
  assert.equal((await gateway.call('brain_search', { query: 'src/late-cart.ts', repo: 'web' })).hits[0]?.atom.slug, 's1')
})

test('a full brain refuses the end of a session, which can be told again', async () => {
  let isFull = true
  const quota = definePlugin({
    id: 'quota',
    sdk: '^1.0.0',
    description: 'Refuses writes while the brain is full.',
    contributes: [
      contribute(brainWriteGate, {
        create: () => ({
          async check({ bytes }) {
            if (isFull) throw BrainQuotaExceeded({ bytes, usedBytes: 9, capBytes: 10 })
          },
        }),
      }),
    ],
  })
  await using gateway = await start({ plugins: [...standardPlugins, quota] })
  const { begin, step, end } = hooks(gateway)
  await begin('s1')
  await step('s1', 'a', { tool: 'Edit', files: ['src/cart.ts'] })
  const refused = await gateway.inject({ method: 'POST', url: '/api/sessions/s1/end', body: { commits: ['abc1234 Count'] } })
  assert.deepEqual([refused.status, refused.json().code], [409, 'CONFLICT'])
  assert.match(refused.json().error, /size quota/)
  isFull = false
  assert.equal((await end('s1', { commits: ['abc1234 Count'] })).merged, true)
})

test('observations, git’s record and the handoff of a session are one atom, which main has at its end', async () => {
  await using gateway = await start()
  const { begin, step, end } = hooks(gateway)
  await begin('s1', { machine: 'm1' })
  await step('s1', 'a', { target: 'npm test', exit: 'error' })
  await step('s1', 'b', { tool: 'Edit', files: ['src/cart.ts'], exit: 'ok' })
  await gateway.call('handoff_write', { repo: 'web', sessionId: 's1', content: 'The cart is half done.' })
  const done = await end('s1', { gitBranch: 'topic', commits: ['abc1234 Count in cents'], uncommitted: ['?? todo.txt'] })
  assert.equal(done.merged, true)
  const { hits } = await gateway.call('brain_search', { query: 'Count in cents', repo: 'web' })
  const [{ atom, title }] = hits
  assert.deepEqual([title, atom.branch, atom.kind, atom.slug], ['Count in cents', 'main', 'session', 's1'])
  const { bundle } = await gateway.call('context_boot', { repo: 'web', budget: 6_000 })
  for (const text of ['claude-code on m1', 'git branch topic', 'half done', 'todo.txt', 'src/cart.ts', 'Bash npm test', 'Bash 1'])
    assert.ok(bundle.includes(text), text)
})

test('a boot tells decisions with their reasons, pinned ones first, open branches and stashes by name, and stays within its budget', async () => {
  await using gateway = await start()
  const { begin } = hooks(gateway)
  const commit = (slug: string, content: string, more: object = {}) =>
    gateway.call('brain_commit', { kind: 'session', repo: 'web', slug, content, ...more })
  await commit('old', '# Old rule\n\nA note.', { pin: true })
  gateway.clock.advance(30 * 86_400_000)
  await commit('note', '# A note\n\nNothing much.')
  await commit('cents', '# Prices\n\nDecision: cents, because floats lose some.')
  await gateway.call('brain_commit', { kind: 'memory', slug: 'all', content: '# Caches in all repos\n\nThey are LRU.' })
  await commit('last', '# The last session\n\nIt tidied up.')
  await gateway.call('brain_stash', { slug: 'draft', content: 'frozen secret plan', repo: 'web' })
  await begin('s1')
  await commit('wip', '# Unmerged thought\n\nNot yet.', { branch: 'session/s1' })
  const { bundle } = await gateway.call('context_boot', { repo: 'web', budget: 4_000 })
  const at = (text: string): number => {
    assert.ok(bundle.includes(text), text)
    return bundle.indexOf(text)
  }
  assert.ok(at('because floats lose some') < at('Nothing much'))
  assert.ok(at('They are LRU') > 0 && at('It tidied up') > 0 && at('stash `draft`') > 0)
  assert.match(bundle, /Old rule \[pinned\]/)
  assert.match(bundle, /branch `session\/s1`: claude-code[^\n]*; 1 atom not merged/)
  assert.doesNotMatch(bundle, /Unmerged thought|Not yet|secret plan/)
  for (const budget of [300, 900, 1_800]) {
    const small = await gateway.call('context_boot', { repo: 'web', budget })
    assert.ok(small.bundle.length <= budget)
  }
  assert.ok((await gateway.call('context_boot', { repo: 'web' })).bundle.length > 1_200, 'the budget is spent')
})

test('where a model is configured a job replaces the atom by the one that the model wrote; a failing model leaves the first', async () => {
  let text: string | undefined
  await using local = await model(() => text)
  await using gateway = await start({ config: local.config })
  const { begin, step, end } = hooks(gateway)
  await begin('s1')
  await step('s1', 'a', { target: 'npm test' })
  await end('s1', { commits: ['abc1234 Count in cents'] })
  await gateway.runJob('brain.distil')
  const titles = async (): Promise<string[]> =>
    (await gateway.call('brain_search', { query: 'cents', repo: 'web' })).hits.map(({ title }: { title: string }) => title)
  assert.deepEqual(await titles(), ['Count in cents'])
  text = '# Prices are cents\n\nDecided: cents, so that sums are exact.'
  await gateway.runJob('brain.distil')
  assert.equal((await titles())[0], 'Prices are cents')
  assert.match(local.asked.at(-1).messages.at(-1).content, /Count in cents/)
  const asked = local.asked.length
  await gateway.runJob('brain.distil')
  assert.equal(local.asked.length, asked)
})

test('the activity of a session names a file once, as the target of its step or among its files', async () => {
  await using gateway = await start()
  const { begin, step } = hooks(gateway)
  await begin('s1')
  await step('s1', 'a', { tool: 'Edit', target: '/srv/web/src/cart.ts', files: ['src/cart.ts', 'src/price.ts'], exit: 'ok' })
  await step('s1', 'b', { tool: 'Write', target: 'README.md', files: ['README.md'], exit: 'ok' })
  const { activity } = (await gateway.inject({ method: 'GET', url: '/api/sessions/s1/activity' })).json()
  const texts = activity.flatMap(({ kind, text }: Record<string, string>) => (kind === 'step' ? [text] : []))
  assert.deepEqual(texts.sort(), ['/srv/web/src/cart.ts\nsrc/price.ts', 'README.md'])
})

test('the history of a task has the steps of the sessions that work on it', async () => {
  await using gateway = await start()
  const { begin, step } = hooks(gateway)
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'Count in cents' })
  await begin('s1', { taskId: task.taskId })
  await step('s1', 'a', { target: 'npm test', exit: 'error' })
  const { events } = (await gateway.inject({ method: 'GET', url: `/api/tasks/${task.taskId}/history` })).json()
  const found = events.find(({ what }: { what: string }) => what === 'step')
  assert.deepEqual([found.by, found.text], ['s1', 'Bash npm test (failed)'])
})

test('a session keeps a task that is in the trash, and its steps are in the history once the task is restored', async () => {
  await using gateway = await start()
  const { begin, step } = hooks(gateway)
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'Count in cents' })
  const { trashId } = await gateway.call('tasks_delete', { taskId: task.taskId })
  await begin('s1', { taskId: task.taskId })
  await step('s1', 'a', { target: 'npm test', exit: 'error' })
  await gateway.call('tasks_restore', { trashId })
  const { events } = (await gateway.inject({ method: 'GET', url: `/api/tasks/${task.taskId}/history` })).json()
  assert.ok(events.some(({ what }: { what: string }) => what === 'step'))
})

test('the activity of a session that only its records name is shown; one that nobody names is not found', async () => {
  await using gateway = await start()
  await gateway.call('handoff_write', { repo: 'web', sessionId: 'cc-1', content: 'Half done.' })
  await gateway.call('brain_observe', { repo: 'web', session: 'cc-1', tool: 'Bash' })
  await gateway.call('memory_store', { content: 'Caches are LRU.', source: 'feature', sessionId: 'cc-1' })
  const read = async (id: string) => gateway.inject({ method: 'GET', url: `/api/sessions/${id}/activity` })
  const { activity, session } = (await read('cc-1')).json()
  assert.equal(session, undefined)
  assert.deepEqual(activity.map(({ kind }: { kind: string }) => kind).sort(), ['handoff', 'memory', 'step'])
  assert.equal((await read('nobody')).status, 404)
  await gateway.inject({ method: 'POST', url: '/api/sessions/begin', body: { sessionId: 'cc-1', host: 'codex', repo: 'web' } })
  assert.equal((await read('cc-1')).json().session.host, 'codex')
})

test('an id of a conversation cannot begin a session of a host, and an unknown session takes no steps and no end', async () => {
  await using gateway = await start()
  await assert.rejects(
    gateway.call('sessions.record-steps', { id: 'none', steps: [{ stepId: 'a', at: '2026-01-01T00:00:00.000Z' }] }),
    refusal('NOT_FOUND'),
  )
  await assert.rejects(gateway.call('sessions.end', { id: 'none' }), { code: 'NOT_FOUND' })
  await assert.rejects(gateway.call('sessions.begin', { sessionId: 'a b', host: 'x' }), refusal('BAD_REQUEST', 'sessionId'))
})

test('a task and an atom of a clone belong to the repo of its remote, by whatever the caller names it', async () => {
  await using gateway = await start()
  await gateway.call('repos_upsert', { name: 'web', gitRemote: REMOTE })
  const { task } = await gateway.call('tasks_create', { repo: 'git@git.example.org:acme/web.git', title: 'Do it' })
  assert.equal(task.repo, 'web')
  assert.equal((await gateway.call('tasks_next', { repo: REMOTE })).task.taskId, task.taskId)
  assert.equal((await gateway.call('tasks_list', { repo: REMOTE })).tasks.length, 1)
  assert.equal((await gateway.call('tasks_claim', { repo: REMOTE, claimedBy: 'ada' })).task.taskId, task.taskId)
  const atom = { kind: 'session', repo: REMOTE, slug: 'a', content: '# Counted in cents' }
  assert.equal((await gateway.call('brain_commit', atom)).atom.repo, 'web')
  assert.equal((await gateway.call('brain_search', { query: 'cents', repo: 'ssh://git@git.example.org/acme/web' })).hits[0].repo, 'web')
  assert.equal((await gateway.call('tasks_create', { repo: '/no/such/folder', title: 'x' })).task.repo, 'folder')

  const other = (await gateway.call('tasks_create', { repo: 'api', title: 'Misfiled' })).task
  assert.equal((await gateway.call('tasks_update', { taskId: other.taskId, repo: REMOTE })).task.repo, 'web')
  const skipping = { claimedBy: 'ada', ignoreRepos: [REMOTE, '/no/such/folder'] }
  assert.equal((await gateway.call('tasks_claim', skipping)).claimed, false)
  const operations = [
    { action: 'create', repo: REMOTE, title: 'In a batch' },
    { action: 'update', taskId: '$0', repo: 'ssh://git@git.example.org/acme/web' },
  ]
  const { results } = await gateway.call('tasks_bulk', { operations })
  assert.deepEqual(
    results.map((one: { task?: { repo: string } }) => one.task?.repo),
    ['web', 'web'],
  )
  for (const tool of ['brain_delta', 'brain_entity', 'brain_communities', 'brain_recall_analytics']) {
    const [byName, byRemote] = await Promise.all(['web', REMOTE].map((repo) => gateway.call(tool, { repo })))
    assert.deepEqual(byRemote, byName, tool)
  }
  assert.equal((await gateway.call('brain_entity', { repo: REMOTE })).atomsScanned, 1)
})
