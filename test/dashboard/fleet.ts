import { createHash } from 'node:crypto'
import type { TestGateway } from '@gateway/testing'

const HOUR = 3_600
const REPO = 'api'
const REPOS = [
  [REPO, 'Orders and payments over HTTP.', ['node', 'sqlite'], 'ok'],
  ['web', 'The shop that customers see.', ['react', 'vite'], 'warn'],
  ['billing', 'Invoices, refunds and reminders.', ['python'], 'error'],
] as const
const DONE = [
  'Return 409 when an order was already paid',
  'Cache the list of countries',
  'Rename the column “sum” to “total_cents”',
  'Retry refunds that the bank refused for load',
  'Remove the unused feature flag “old-cart”',
  'Document the webhook for shipped orders',
]

/** Names of records that the pages of records need. */
export interface Fleet {
  readonly task: string
  readonly swarm: string
  readonly schedule: string
  readonly session: string
  readonly run: string
  readonly thread: string
  readonly webhook: string
}

/** Fills a gateway with two days of a small fleet that ends now: agents at work, work that waits for a person, and failures. */
export async function seedFleet(gateway: TestGateway): Promise<Fleet> {
  const { clock } = gateway
  // The browser shows times by its own clock.
  clock.set(new Date(Date.now() - 48 * HOUR * 1_000))
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  const call = (tool: string, args: object = {}): Promise<any> => gateway.call(tool, args, { via: 'rest' })
  const create = async (title: string, more: object = {}) => (await call('tasks_create', { repo: REPO, title, ...more })).task
  const claim = async (taskId: string, claimedBy: string) => (await call('tasks_claim', { taskId, claimedBy })).task
  const finish = async (task: { taskId: string; claimId: string }, status: string, prUrl?: string) =>
    call('tasks_update', { taskId: task.taskId, claimId: task.claimId, status, ...(prUrl && { prUrl }) })

  for (const [repoName, description, stack, lastStatusLevel] of REPOS) {
    await call('repos_upsert', { name: repoName, stack, group: 'shop' })
    await call('repos_card_upsert', { repoName, description, lastStatusLevel, deployUrl: 'https://shop.example/', commitsAhead: 2 })
  }
  const schedule = (
    await call('schedules_create', {
      name: 'Triage new issues',
      cronExpr: '0 7 * * 1-5',
      kind: 'tool',
      target: 'tasks_list',
      message: '{}',
    })
  ).schedule
  await call('schedules_create', { name: 'Weekly report', cronExpr: '0 16 * * 5', kind: 'agent', target: 'planner', message: 'Write it.' })
  await call('recurring_tasks_create', {
    name: 'Update dependencies',
    cronExpr: '0 5 * * 1',
    repo: 'web',
    title: 'Update the dependencies',
    assignedAgent: 'coder',
  })
  await call('plan_set', {
    repo: 'billing',
    days: [
      { day: 1, focus: 'Write down how refunds are rounded' },
      { day: 2, focus: 'Move the rounding into one function' },
      { day: 3, focus: 'Compare a month of invoices' },
    ],
  })

  for (const [index, title] of DONE.entries()) {
    const agent = index % 3 === 0 ? 'grace' : 'ada'
    const made = await create(title, { repo: REPOS[index % 3]?.[0], priority: index % 2 ? 'P2' : 'P1' })
    const task = await claim(made.taskId, agent)
    await call('traces_record', { taskId: task.taskId, name: 'plan', startMs: clock.now(), endMs: clock.now() + 40_000 })
    await call('traces_record', { taskId: task.taskId, name: 'edit', startMs: clock.now() + 40_000, endMs: clock.now() + 300_000 })
    await call('traces_record', { taskId: task.taskId, name: 'test', startMs: clock.now() + 300_000, endMs: clock.now() + 420_000 })
    await call('logs_record', { correlationId: task.taskId, service: 'runner', level: 'info', message: `${agent} runs the tests.` })
    await call('budgets.report', { model: 'sonnet', inputTokens: 90_000, outputTokens: 9_000, usd: 0.6, taskId: task.taskId, agent })
    clock.advance(20 * 60)
    await call('artifacts_register', { taskId: task.taskId, filename: 'report.txt', kind: 'test-report', content: '214 tests passed.' })
    await finish(task, 'review', `https://code.example/${task.repo}/pull/${index + 40}`)
    await call('tasks_update', { taskId: task.taskId, status: 'done' })
    await call('job_history_record', {
      repo: task.repo,
      taskId: task.taskId,
      status: 'done',
      resultLine: title,
      machine: 'forge',
      model: 'sonnet',
      startedAtMs: clock.now() - 1_200_000,
      durationSeconds: 1_200,
    })
    await gateway.runJob('tasks.sample')
    clock.advance(7 * HOUR - 20 * 60)
    await gateway.runJob('schedules.tick')
  }
  await call('schedules_run_now', { scheduleId: schedule.scheduleId })
  clock.set(new Date(Date.now() - HOUR * 1_000))

  const run = (
    await call('fleet_run_start', {
      type: 'nightly',
      machine: 'forge',
      agent: 'grace',
      repos: REPOS.map(([repo]) => ({ repo, action: 'test', actionStatus: 'pending', recommendation: 'Run the long tests.' })),
    })
  ).run
  await call('fleet_run_repo_update', { runId: run.runId, repo: REPO, action: 'test', actionStatus: 'done', detail: 'All tests passed.' })
  await call('fleet_run_repo_update', {
    runId: run.runId,
    repo: 'billing',
    action: 'test',
    actionStatus: 'failed',
    detail: 'Two tests of the rounding of refunds failed.',
  })

  const session = 'cc-7f31'
  await call('sessions.begin', { sessionId: session, host: 'claude-code', repo: REPO, machine: 'forge' })
  await call('sessions.record-steps', {
    id: session,
    steps: [
      {
        stepId: 'a',
        at: new Date(clock.now()).toISOString(),
        tool: 'Edit',
        target: 'src/refunds.ts',
        exit: 'ok',
        files: ['src/refunds.ts'],
      },
      { stepId: 'b', at: new Date(clock.now() + 60_000).toISOString(), tool: 'Bash', target: 'npm test', exit: 'error' },
    ],
  })
  await call('runner_heartbeat', { machine: 'forge', capabilities: ['docker', 'node'] })
  await call('state_update', { repo: REPO, heading: '## Now', content: 'Refunds are rounded per line.' })
  await call('handoff_write', { repo: REPO, content: '# Refunds\n\nThe rounding is done; the reminder is open.', author: 'ada' })

  for (const [slug, content] of [
    ['refund-rounding', '# Rounding of refunds\n\nRefunds are rounded per line, not per invoice, because the bank does so.'],
    ['order-states', '# States of an order\n\n`open`, `paid`, `shipped`, `returned`. Only a paid order is shipped.'],
  ])
    await call('brain_commit', { kind: 'memory', slug, content })
  await call('brain_branch', { slug: 'event-sourcing' })
  await call('brain_commit', { kind: 'memory', slug: 'orders-as-events', content: 'Orders could be a list of events.' })
  await call('brain_checkout', { ref: 'main' })
  for (const [content, source] of [
    ['The bank refuses more than ten refunds a second.', 'pattern'],
    ['Order 1412 was paid twice, because the button could be clicked twice.', 'bug'],
    ['The countries are cached for a day.', 'feature'],
  ])
    await call('memory_store', { content, source, repo: REPO, tags: ['refunds'] })

  const { message } = await call('mail_send', {
    from: 'ada',
    to: 'grace',
    subject: 'Rounding of refunds',
    body: 'I round per line now. Does the report expect that?',
  })
  await call('mail_send', {
    from: 'grace',
    to: 'ada',
    subject: 'Rounding of refunds',
    body: 'Yes, since March.',
    replyTo: message.messageId,
  })

  const swarm = (
    await call('swarm_plan', {
      repo: 'web',
      goal: 'Move the checkout to the new payment page',
      createdBy: 'grace',
      children: [
        { title: 'List the fields that the new page needs' },
        { title: 'Build the new page behind a flag', dependsOnIndexes: [0] },
        { title: 'Translate the new page', dependsOnIndexes: [0] },
        { title: 'Switch the flag on for a tenth of the customers', dependsOnIndexes: [1, 2] },
      ],
      consent: true,
    })
  ).swarm
  const running = (
    await call('swarm_plan', {
      repo: REPO,
      goal: 'Answer the list of orders in under 100 ms',
      createdBy: 'ada',
      children: [{ title: 'Measure the list of orders' }, { title: 'Add the missing index', dependsOnIndexes: [0] }],
    })
  ).swarm
  await call('swarm_approve', { swarmId: running.swarmId })

  const refunds = await create('Round refunds per line', {
    priority: 'P0',
    description: 'The bank rounds **per line**; we round per invoice.',
  })
  await create('Tell customers about delayed refunds', { priority: 'P2', dependsOn: [refunds.taskId], repo: 'web' })
  const inReview = await create('Show the delivery date in the cart', { repo: 'web', priority: 'P1' })
  const dead = await create('Import the invoices of 2019', { repo: 'billing', priority: 'P1' })
  await create('Add a filter for returned orders', { priority: 'P3', repo: 'web' })
  const paused = await create('Delete addresses of closed accounts', { priority: 'P2' })
  await call('tasks_update', { taskId: paused.taskId, status: 'paused' })
  await finish(await claim(inReview.taskId, 'grace'), 'review', 'https://code.example/web/pull/61')
  const tried = await claim(dead.taskId, 'linus')
  await call('tasks_fail', {
    taskId: dead.taskId,
    claimId: tried.claimId,
    error: 'The archive of 2019 is encrypted, and no key was given.',
  })
  await call('job_history_record', {
    repo: 'billing',
    taskId: dead.taskId,
    status: 'failed',
    errorExcerpt: 'The archive of 2019 is encrypted, and no key was given.',
    exitCode: 1,
    machine: 'forge',
    startedAtMs: clock.now() - 90_000,
    durationSeconds: 90,
  })
  clock.set(new Date(Date.now() - 240_000))
  const working = await claim(refunds.taskId, 'ada')
  for (const [name, from, to] of [
    ['read the issue', 0, 20],
    ['edit src/refunds.ts', 20, 140],
    ['npm test', 140, 200],
  ] as const)
    await call('traces_record', {
      taskId: working.taskId,
      name,
      service: 'agent',
      startMs: clock.now() + from * 1_000,
      endMs: clock.now() + to * 1_000,
    })
  await call('logs_record', { correlationId: working.taskId, service: 'agent', level: 'warn', message: 'Two of 214 tests fail: refunds.' })
  await call('runner_lease_acquire', { holder: 'forge/lane/1', machine: 'forge', taskId: working.taskId })
  await call('lease_acquire', { key: 'deploy/api', holder: 'forge/ada', leaseSeconds: 900 })
  await call('budgets.report', {
    model: 'opus',
    inputTokens: 220_000,
    outputTokens: 14_000,
    usd: 2.35,
    taskId: working.taskId,
    agent: 'ada',
  })
  await call('account_usage_record', {
    readings: [
      {
        account: 'team',
        source: 'statusline',
        at: new Date(clock.now()).toISOString(),
        fiveHourPct: 62,
        fiveHourResetsAt: new Date(clock.now() + 2 * HOUR * 1_000).toISOString(),
        sevenDayPct: 38,
        sevenDayResetsAt: new Date(clock.now() + 90 * HOUR * 1_000).toISOString(),
      },
    ],
  })
  await call('connectors_set', { key: 'browser', label: 'Browser', category: 'browser', transport: 'stdio', command: 'browser-mcp' })
  await call('plugin_tools_register', {
    name: 'stock_level',
    description: 'Number of articles in stock.',
    schema: { type: 'object', properties: {} },
    handlerUrl: 'https://stock.example/level',
  })
  const review = 'You review pull requests. Name each fault and its line.'
  await call('marketplace_publish', {
    manifest: {
      slug: 'careful-reviewer',
      kind: 'agent',
      version: '1.0.0',
      title: 'Careful reviewer',
      description: 'Reviews pull requests line by line.',
      category: 'dev',
      tools: ['tasks_list'],
      manifestHash: createHash('sha256').update(review).digest('hex'),
    },
    artifactContent: review,
  })
  const { webhook } = await call('webhooks.create', {
    url: 'https://hooks.example/fleet',
    events: ['tasks.moved', 'tasks.failed'],
    description: 'Chat of the team',
  })
  await call('keys.make', { label: 'Laptop of Ada', role: 'member' })
  clock.set(new Date())
  await call('runner_heartbeat', { machine: 'forge', capabilities: ['docker', 'node'] })
  await gateway.runJob('tasks.sample')
  return {
    task: working.taskId,
    swarm: swarm.swarmId,
    schedule: schedule.scheduleId,
    session,
    run: run.runId,
    thread: message.messageId,
    webhook: webhook.webhookId,
  }
}
