import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { refusal, startTestGateway } from '@gateway/testing'

const atom = { kind: 'session', repo: 'web', slug: 'work', content: 'Done.' }
const bundle = { version: 1, exportedAt: 'yesterday', session: {} }
const at = '2026-01-05T09:00:00.000Z'
const session = { sessionId: 'sess-1', agentName: 'echo', status: 'closed', createdAt: at, updatedAt: at, messages: [] }

/** Arguments that the schema of their tool takes, and its rules do not, with the start of what is said about them. */
const REFUSED: readonly (readonly [tool: string, args: object, says: string])[] = [
  ['brain_search', { query: 'x', since: '2026-02-30' }, '`since` must be a date'],
  ['brain_blame', { ref: 'main', code_sha: '1234567' }, '`ref` and `code_sha` exclude each other'],
  ['brain_blame', { code_sha: 'not-hexadecimal' }, '`code_sha` must be hex digits'],
  ['brain_commit', { ...atom, kind: 'memory' }, '`repo` must be omitted'],
  ['brain_commit', { ...atom, repo: undefined }, '`repo` is required'],
  ['brain_commit', { ...atom, slug: 'a..b' }, '`slug` must be letters'],
  ['brain_commit', { ...atom, topic: 'a..b' }, '`topic` must be letters'],
  ['brain_commit', { ...atom, code_commits: ['1234567', 'not-hexadecimal'] }, '`code_commits[1]` must be 7 to 64 hex digits'],
  ['brain_commit', { ...atom, branch: 'feature' }, '`branch` must be main'],
  ['brain_commit', { ...atom, content: ' \n' }, '`content` must not be blank'],
  ['brain_stash', { slug: 'a..b', content: 'x' }, '`slug` must be letters'],
  ['brain_stash', { slug: 'a', content: 'x', branch: 'feature' }, '`branch` must be main'],
  ['brain_pop', { slug: 'a..b' }, '`slug` must be letters'],
  ['brain_branch', { slug: 'a..b' }, '`slug` must be letters'],
  ['brain_checkout', { ref: 'feature' }, '`ref` must be main'],
  ['brain_observe', { branch: 'feature' }, '`branch` must be main'],
  ['brain_diff', { path: '../x' }, '`path` must be a relative path'],
  ['brain_log', { path: '../x' }, '`path` must be a relative path'],
  ['brain_timeline', { entity: 'x', since: '20261399T000000Z' }, '`since` must be a time'],
  ['brain_namespace_share', { namespace: 'web', granteeTenantId: 'local', level: 'read' }, '`granteeTenantId` must be another tenant'],
  ['brain_namespace_write', { ownerTenantId: 'acme', namespace: 'web', kind: 'session', slug: 'a', content: ' ' }, '`content` must not'],
  ['brain_template_publish', { id: 'a..b', version: '1.0.0', atoms: [atom] }, '`id` must be letters'],
  ['state_update', { repo: 'web', heading: 'no heading', content: 'x' }, '`heading` must be one whole heading line'],
  ['state_update', { repo: 'web', heading: '## Now', content: '```\nopen' }, '`content` leaves a code fence'],
  ['memory_forget', { query: '?!' }, '`query` must contain a word'],
  ['session_import', { bundle: { ...bundle, session } }, '`bundle.exportedAt` must be a time'],
  ['mail_inbox', { to: 'a b' }, '`to`'],
]

test('a schedule whose call would be refused for its arguments alone is refused at once, and nothing is stored', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  const plan = (target: string, args: object) =>
    gateway.call('schedules_create', { name: 'x', cronExpr: '0 9 * * *', kind: 'tool', target, message: JSON.stringify(args) })
  for (const [tool, args, says] of REFUSED) {
    const isSaid = new RegExp(`that ${tool} accepts: ${says.replace(/[[\]]/g, '\\$&')}`)
    await assert.rejects(plan(tool, args), refusal('BAD_REQUEST', 'message', isSaid), `${tool} ${JSON.stringify(args)}`)
    await assert.rejects(gateway.call(tool, args), (error: Error) => error.message.startsWith(says), tool)
  }
  assert.equal((await gateway.call('schedules_list')).count, 0)
  // A repo may be given as a folder or a remote, which only the call itself looks up.
  await plan('brain_commit', { ...atom, repo: 'https://example.com/team/web.git' })
  await plan('state_update', { repo: 'web', heading: '## Now', content: 'x' })
})
