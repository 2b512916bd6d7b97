type Call = (tool: string, args: object) => Promise<unknown>

/** A record of each kind, so that calls that name one reach the work of their other arguments. */
const SEEDS: readonly (readonly [tool: string, args: object])[] = [
  ['repos_upsert', { name: 'app' }],
  ['tasks_create', { repo: 'app', title: 'one' }],
  ['mail_send', { to: 'app', subject: 'hello', body: 'there' }],
  ['memory_store', { content: 'something to remember', repo: 'app' }],
  ['handoff_write', { repo: 'app', content: '## Next\n\nhello' }],
  ['brain_commit', { kind: 'session', repo: 'app', slug: 'one', content: 'hello' }],
  ['schedules_create', { name: 'one', kind: 'tool', target: 'tasks_list', cronExpr: '0 0 * * *', message: '{}' }],
  ['recurring_tasks_create', { name: 'one', repo: 'app', cronExpr: '0 0 * * *', title: 'one' }],
  ['swarm_plan', { repo: 'app', goal: 'one', children: [{ title: 'one' }] }],
  ['plan_set', { repo: 'app', startDate: '2026-02-02', days: [{ day: 1, focus: 'one' }] }],
  ['fleet_run_start', { type: 'morning', repos: [{ repo: 'app' }] }],
  ['logs_record', { level: 'info', message: 'one', correlationId: 'one' }],
  ['connectors_seed_defaults', {}],
]

/** Returns values by argument name: texts with a special form, and the ids that the seeds return. */
export async function seedSamples(call: Call): Promise<ReadonlyMap<string, unknown>> {
  const samples = new Map<string, unknown>([
    ['repo', 'app'],
    ['to', 'app'],
    ['topic', 'one'],
    ['slug', 'one'],
    ['cronExpr', '0 0 * * *'],
    ['startDate', '2026-02-02'],
    ['hour', '2026-01-31T00:00:00Z'],
    ['exportedAt', '2026-01-31T09:00:00.000Z'],
    ['createdAt', '2026-01-31T09:00:00.000Z'],
    ['updatedAt', '2026-01-31T09:00:00.000Z'],
    ['url', 'https://example.com/one'],
  ])
  for (const [tool, args] of SEEDS) collect(await call(tool, args), samples)
  return samples
}

function collect(value: unknown, samples: Map<string, unknown>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === 'string' && /(?:Id|^sha8)$/.test(name) && name !== 'requestId' && !samples.has(name)) samples.set(name, item)
    collect(item, samples)
  }
}
