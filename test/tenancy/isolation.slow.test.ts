import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Collection,
  closed,
  defineCollection,
  definePlugin,
  defineService,
  defineTool,
  type Infer,
  type Principal,
  provideProcess,
  Type,
} from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { probeIsolation, type TestGateway } from '@gateway/testing'

const Note = Type.Object({ noteId: Type.String(), text: Type.String() }, closed)
const notes = defineCollection('notes', { schema: Note, key: 'noteId' })
const noteTools = {
  put: defineTool({
    name: 'note_put',
    description: 'Store a note.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({ text: Type.String() }, closed),
    output: Type.Object({}),
    uses: { notes },
    handle: async ({ text }, { notes }, ctx) => ({ note: await notes.insert({ noteId: ctx.newId('note-'), text }) }),
  }),
}

const env = { PLUGIN_TOOLS_ENABLED: '1', INLINE_EXEC_ENABLED: '1', GATEWAY_PUBLIC_URL: 'https://gateway.example.com' }

/** Collections that no single call fills, and the reason. */
const OUT_OF_REACH: Readonly<Record<string, string>> = {
  'gift-codes': 'the gateway’s, no tenant’s',
  'gift-codes.redemptions': 'the gateway’s, no tenant’s',
  canary: 'the gateway’s, no tenant’s',
  'marketplace.listings': 'the gateway’s, no tenant’s',
  'tenant-end.endings': 'the gateway’s, no tenant’s',
  'tenant-end.mrr': 'the gateway’s, no tenant’s',
  health: 'the gateway’s, no tenant’s',
  'state.handoffs': 'gone before the probe, which calls memory_forget as their own tenant first',
  'state.handoff-heads': 'gone before the probe, which calls memory_forget as their own tenant first',
  'schedules.runs': 'gone before the probe, which deletes the schedules as their own tenant first',
  'schedules.deliveries': 'on their way to a channel, removed when it has them',
  'runners.task-keys': 'gone before the probe, which revokes them as their own tenant first; the family’s own tests hold them',
  'code-graph.refreshes': 'of webhooks of code hosting; the family’s own tests hold them',
  'code-graph.pulls': 'of webhooks of code hosting; the family’s own tests hold them',
  'brain.distillations': 'notes of a job, removed by it',
  'brain.forgotten': 'tombstones, which no tool shows',
  'memory.due-origins': 'notes of a job, removed by it',
  'memory.stamps': 'times of files, which no tool shows',
  'memory.preparation': 'the state of an index, which no tool shows',
  'notifications.attention': 'states of alerts, which no tool shows',
  'tasks.samples': 'counts that a job takes, without texts',
  'dashboard.firsts': 'the time of the first call over MCP',
  'oauth.codes': 'of a person who consents; the family’s own tests hold them',
  'oauth.grants': 'of a person who consents; the family’s own tests hold them',
  'oauth.clients': 'of a person who consents; the family’s own tests hold them',
  'oauth.devices': 'of a person who consents; the family’s own tests hold them',
  'budgets.spend': 'of calls of models, which need a provider',
  'budgets.sums': 'of calls of models, which need a provider',
  'budgets.meters': 'of calls of models, which need a provider',
  'budgets.reservations': 'of calls of models, which need a provider',
  'budgets.last-row': 'of calls of models, which need a provider',
  'entitlements.meters': 'of calls of models, which need a provider',
  'account-usage.buckets': 'buckets and readings have forms that made-up arguments lack; the family’s own tests hold them',
  'account-usage.hours': 'buckets and readings have forms that made-up arguments lack; the family’s own tests hold them',
  'account-usage.readings': 'buckets and readings have forms that made-up arguments lack; the family’s own tests hold them',
  'marketplace.versions': 'a submission has the hash of its artefact; the family’s own tests hold them',
  'marketplace.artifacts': 'a submission has the hash of its artefact; the family’s own tests hold them',
  'marketplace.installs': 'a submission has the hash of its artefact; the family’s own tests hold them',
  'brain-packs.versions': 'the gateway’s, no tenant’s',
  'brain-packs.contents': 'the gateway’s, no tenant’s',
  'providers.states': 'the gateway’s, no tenant’s',
  'providers.experience': 'the gateway’s, no tenant’s',
  'agents.definitions': 'the gateway’s, no tenant’s',
  'code-graph.shards': 'files of the operator’s repos',
  'memory.vectors': 'made by a model',
  'memory.sync': 'vectors that a model makes too late',
  'memory.origins': 'files of the operator’s repos',
  'webhooks.inbound': 'of code hosting, which signs what it sends to the operator’s own tenant',
  'webhooks.rings': 'of code hosting, which signs what it sends to the operator’s own tenant',
  'sign-in.sessions': 'begun by a browser’s requests alone; the family’s own tests hold them',
  'sign-in.members': 'of people who come from a provider; the family’s own tests hold them',
  'sign-in.identities': 'the gateway’s, no tenant’s',
  'sign-in.assertions': 'the gateway’s, no tenant’s',
  'state.due-mirrors': 'a file that could not be written',
}

async function prepare(gateway: TestGateway, as: Partial<Principal>): Promise<void> {
  // The text is not an address, nor a public event. Notified of later changes; several, since the probe removes some.
  const hooks: string[] = []
  for (let i = 0; i < 5; i++) {
    const hook = { url: 'https://markedtext.example.com/', events: ['*'], description: 'markedtext' }
    hooks.push((await gateway.call('webhooks.create', hook, { as })).webhook.webhookId)
  }
  // A person who calls for a tenant is already signed in.
  await gateway.call('sign-in.codes', {}, { as: { ...as, kind: 'api-key' } })
  // Blocks are counted only for unauthorized moves, and defers only for a missing route.
  const { task } = await gateway.call('tasks_create', { repo: 'markedtext', title: 'markedtext' }, { as })
  await gateway.call('handoff_write', { repo: 'markedtext', content: 'markedtext' }, { as })
  const look = { name: 'markedtext-run', cronExpr: '0 9 * * *', kind: 'tool', target: 'tasks_list', message: '{}' }
  const { schedule } = await gateway.call('schedules_create', look, { as })
  await gateway.call('schedules_run_now', { scheduleId: schedule.scheduleId }, { as })
  await gateway.call('tasks_update', { taskId: task.taskId, status: 'pending', routeExhausted: true }, { as })
  await gateway.call('tasks_update', { taskId: task.taskId, status: 'blocked' }, { as })
  await gateway.call('tasks_create', { repo: 'markedtext', title: 'markedtext', dependsOn: [task.taskId] }, { as })
  const { sessionId } = await gateway.call('sessions.create', { agentName: 'planner', metadata: { of: 'markedtext' } }, { as })
  await gateway.call('sessions.post-message', { id: sessionId, content: 'markedtext' }, { as }).catch(() => {})
  // A free text is no cron expression. Several, since the probe removes some.
  const timed = { name: 'markedtext', cronExpr: '0 9 * * *' }
  // Offers and quotas are stored only for dispatched or executed tasks.
  await gateway.call('tasks_create', { repo: 'markedtext', title: 'inline: seed-schedules', assignedAgent: 'inline' }, { as })
  await gateway.call('dispatch_cycle', {}, { as })
  await gateway.call('inline_execute', {}, { as })
  for (let i = 0; i < 5; i++) {
    await gateway.call('schedules_create', { ...timed, kind: 'agent', target: 'planner', message: 'markedtext' }, { as })
    await gateway.call('recurring_tasks_create', { ...timed, repo: 'markedtext', title: 'markedtext' }, { as })
  }
  // The text is not a holder either, whose name has segments.
  const holder = 'markedtext/1'
  for (let i = 0; i < 5; i++) await gateway.call('lease_acquire', { key: `markedtext-${i}`, holder, meta: { of: 'markedtext' } }, { as })
  await gateway.call('lease_acquire', { key: 'markedtext', holder }, { as })
  const { lease } = await gateway.call('runner_lease_acquire', { holder: 'markedtext', account: 'markedtext' }, { as })
  await gateway.call('runner_lease_release', { holder: 'markedtext', slot: lease.slot }, { as })
  await gateway.call('runner_lease_acquire', { holder: 'markedtext-2', account: 'markedtext' }, { as })
  // The text is not a date either. Several, since the probe removes some.
  for (let i = 0; i < 5; i++) {
    const days = [{ day: 1, focus: 'markedtext' }]
    await gateway.call('plan_set', { repo: `markedtext-${i}`, days }, { as })
  }
  // The text is not an absolute path either.
  const files = { path: '/markedtext', gitRemote: 'markedtext' }
  await gateway.call('repos_upsert', { name: 'markedtext', group: 'markedtext', ...files }, { as })
  // Several runs, since the probe closes some; repos are entries, not texts.
  for (let i = 0; i < 3; i++)
    await gateway.call('fleet_run_start', { runId: `markedtext-${i}`, agent: 'markedtext', repos: [{ repo: 'markedtext' }] }, { as })
  const { task: keyed } = await gateway.call('tasks_create', { repo: 'markedtext', title: 'markedtext' }, { as })
  const { task: claimed } = await gateway.call('tasks_claim', { taskId: keyed.taskId, claimedBy: 'markedtext' }, { as })
  await gateway.call('runners.issue-key', { taskId: keyed.taskId, claimId: claimed.claimId }, { as })
  // Results are stored for tasks from mail alone.
  await gateway.call('mail_send', { to: 'markedtext', from: 'markedtext-asks', kind: 'request', subject: 'markedtext' }, { as })
  const { claimed: asked } = await gateway.call('mail_claim_as_task', { address: 'markedtext', claimedBy: 'markedtext' }, { as })
  await gateway.call('mail_task_result', { taskId: asked[0].taskId, outcome: 'done', summary: 'markedtext' }, { as })
  // Names are stored for remotes that nobody registered.
  const remote = 'https://markedtext.example.com/team/markedtext-remote.git'
  await gateway.call('brain_commit', { kind: 'session', repo: remote, slug: 'remote', content: 'markedtext' }, { as })
  await gateway.call('fleet_maintenance_enter', { reason: 'markedtext' }, { as })
  await gateway.call('connectors_set', { key: 'markedtext-kept', command: 'markedtext', description: 'markedtext' }, { as })
  // The text is not a commit of the code either. Several, since the probe removes markers.
  for (let i = 0; i < 5; i++) {
    const atom = { kind: 'session', repo: 'markedtext', slug: `markedtext-${i}`, content: `markedtext ${i}` }
    await gateway.call('brain_commit', { ...atom, code_sha: 'abcdef0', pin: true }, { as })
  }
  // The text is not the route of a task either.
  const { task: routed } = await gateway.call('tasks_create', { repo: 'markedtext', title: 'markedtext' }, { as })
  await gateway.call('tasks_update', { taskId: routed.taskId, status: 'done', routedModel: 'markedtext' }, { as })
  // The text is not an address either.
  const handlerUrl = 'https://markedtext.example.com/'
  await gateway.call('plugin_tools_register', { name: 'markedtext_tool', handlerUrl, schema: { type: 'object' } }, { as })
  // The text is not a path either. Several, since the probe removes some.
  for (let i = 0; i < 5; i++)
    await gateway.call('dashboard.save-view', { name: `markedtext ${i}`, page: '/tasks', query: 'repo=markedtext' }, { as })
  // Pending deliveries are kept, and none is sent.
  for (const webhookId of hooks) await gateway.call('webhooks.update', { webhookId, enabled: false }, { as })
}

describe('tenants are isolated', () => {
  it('no tool or route shows or changes another tenant’s records, whatever ids, cursors, words or tenantId it is given', async () => {
    const { operations, unseeded, violations, undeclared } = await probeIsolation(standardPlugins, {
      env,
      prepare,
      restless: ['usage.counts', 'funnel', 'health', 'notifications'],
    })
    assert.deepEqual(violations, [])
    assert.deepEqual(undeclared, [], 'every tool fails with errors it declares')
    assert.deepEqual(
      unseeded.filter((id) => !(id in OUT_OF_REACH)),
      [],
      'every collection holds something to reach for',
    )
    assert.ok(operations.length > 0)
  })

  it('the probe notices a collection that is bound to the wrong tenant', async () => {
    // Keeps the first caller's collection for everyone, like a wrong binding.
    const holder = defineService<{ bound?: Collection<Infer<typeof Note>> }>('notes.holder', 'process')
    const leaky = definePlugin({
      id: 'leaky',
      sdk: '^1.0.0',
      description: 'Binds its collection to the wrong tenant.',
      collections: [notes],
      provides: [provideProcess(holder, { create: () => ({}) })],
      tools: [
        noteTools.put,
        defineTool({
          name: 'note_list',
          description: 'List notes.',
          capability: 'read',
          effect: 'read',
          input: Type.Object({}, closed),
          output: Type.Object({}),
          uses: { notes, holder },
          handle: async (_, { notes, holder }) => {
            holder.bound ??= notes
            return { notes: (await holder.bound.find()).items }
          },
        }),
        defineTool({
          name: 'note_clear',
          description: 'Remove a note.',
          capability: 'work',
          effect: 'destructive',
          input: Type.Object({ noteId: Type.String() }, closed),
          output: Type.Object({}),
          uses: { notes, holder },
          handle: async ({ noteId }, { notes, holder }) => ({ removed: (await (holder.bound ?? notes).deleteOne(noteId)) !== undefined }),
        }),
      ],
    })
    const { violations } = await probeIsolation([leaky])
    assert.deepEqual(violations, ['note_list shows another tenant’s text', 'note_clear changes another tenant’s documents'])
  })
})
