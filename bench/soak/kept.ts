import type { SoakClient } from './client.ts'
import type { SoakTenant } from './tenant.ts'

/** A write of a family that keeps a text, and the call that shows the text again. */
interface Keeper {
  readonly family: string
  /** Share of all acts. Writes of the brain start git, so they are rare, as among people. */
  readonly share: number
  readonly tool: string
  args(text: string, n: number, tenantId: string): object
  /** Call whose answer, or one of its pages, holds every text. */
  readonly shown: { readonly tool: string; args(tenantId: string): object; readonly path?: string }
}

const none = (): object => ({})

/** Limits of the listing calls are above what a tenant writes in a day. */
const KEEPERS: readonly Keeper[] = [
  {
    family: 'job-history',
    share: 0.01,
    tool: 'job_history_record',
    args: (resultLine) => ({ repo: 'cache', status: 'done', resultLine }),
    shown: { tool: 'job_history_search', args: () => ({ limit: 500 }) },
  },
  {
    family: 'backlog',
    share: 0.005,
    tool: 'backlog_ledger_add',
    args: (text) => ({ titles: [text] }),
    shown: { tool: 'backlog_ledger_get', args: none },
  },
  {
    family: 'plans',
    share: 0.005,
    tool: 'plan_set',
    args: (focus, n) => ({ repo: `plan-${n}`, days: [{ day: 1, focus }] }),
    shown: { tool: 'plan_list', args: none },
  },
  {
    family: 'traces',
    share: 0.01,
    tool: 'traces_record',
    args: (name, _n, tenantId) => ({ taskId: `trace-${tenantId}`, name, startMs: 1, endMs: 2 }),
    shown: { tool: 'traces_list', args: (tenantId) => ({ taskId: `trace-${tenantId}`, limit: 1_000 }) },
  },
  {
    family: 'artifacts',
    share: 0.01,
    tool: 'artifacts_register',
    args: (filename, _n, tenantId) => ({ taskId: `artifact-${tenantId}`, filename, content: `${filename}\n`.repeat(40) }),
    shown: { tool: 'artifacts_list', args: (tenantId) => ({ taskId: `artifact-${tenantId}` }) },
  },
  {
    family: 'fleet',
    share: 0.002,
    tool: 'fleet_run_start',
    args: (type) => ({ type, repos: [{ repo: 'cache' }] }),
    shown: { tool: 'fleet_run_list', args: () => ({ limit: 100 }) },
  },
  {
    family: 'swarms',
    share: 0.004,
    tool: 'swarm_plan',
    args: (goal) => ({ repo: 'cache', goal, children: [{ title: goal }] }),
    shown: { tool: 'swarm_list', args: () => ({ limit: 200 }) },
  },
  {
    family: 'repos',
    share: 0.005,
    tool: 'repos_card_upsert',
    args: (description, n) => ({ repoName: `card-${n}`, description }),
    shown: { tool: 'repos_card_list', args: none },
  },
  {
    family: 'state',
    share: 0.01,
    tool: 'handoff_write',
    args: (content) => ({ repo: 'cache', content }),
    shown: { tool: 'the export of memory', args: none, path: '/api/memory/export' },
  },
  {
    family: 'memory',
    share: 0.05,
    tool: 'memory_store',
    args: (content) => ({ content }),
    shown: { tool: 'the export of memory', args: none, path: '/api/memory/export' },
  },
  {
    family: 'brain',
    share: 0.005,
    tool: 'brain_commit',
    args: (content, n) => ({ kind: 'memory', slug: `note-${n}`, content }),
    shown: { tool: 'brain_explore', args: none },
  },
]

export const KEPT_SHARE = KEEPERS.reduce((sum, { share }) => sum + share, 0)
let written = 0

/** Writes with one of the families, and notes the text if the gateway acknowledged it. `luck` is from 0 to 1. */
export async function keep(client: SoakClient, tenant: SoakTenant, luck: number): Promise<void> {
  let rest = luck * KEPT_SHARE
  const keeper = KEEPERS.find(({ share }) => (rest -= share) < 0) ?? (KEEPERS[0] as Keeper)
  const n = written++
  const text = `${tenant.mark} number${n}x`
  if (!(await client.call(tenant, keeper.family, keeper.tool, keeper.args(text, n, tenant.tenantId)))) return
  const kept = tenant.ledger.kept.get(keeper.tool) ?? new Set()
  tenant.ledger.kept.set(keeper.tool, kept.add(text))
}

/** Texts that a tenant was told are kept and that no answer shows. */
export async function lostTexts(client: SoakClient, tenant: SoakTenant): Promise<string[]> {
  const lost: string[] = []
  for (const { tool, shown } of KEEPERS) {
    const kept = tenant.ledger.kept.get(tool)
    if (!kept) continue
    const seen = await pages(client, tenant, shown)
    if (tool === 'brain_commit') {
      // The brain answers with as many atoms as a page holds, and with the number of all.
      const { memoryAtoms = 0 } = JSON.parse(seen) as { memoryAtoms?: number }
      if (memoryAtoms < kept.size) lost.push(`${kept.size - memoryAtoms} atoms of ${tenant.tenantId}`)
      continue
    }
    const marks = new Set(seen.match(/number\d+x/g))
    for (const text of kept) if (!marks.has(text.split(' ')[1] as string)) lost.push(`"${text}" of ${tool} of ${tenant.tenantId}`)
  }
  return lost
}

/** Text of all pages of a listing, one behind the other. */
async function pages(client: SoakClient, tenant: SoakTenant, { tool, args, path }: Keeper['shown']): Promise<string> {
  const texts: string[] = []
  for (let cursor: unknown, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page =
      path === undefined
        ? await client.call(tenant, 'audit of the soak', tool, { ...args(tenant.tenantId), ...(cursor !== undefined && { cursor }) })
        : await client.read(
            tenant,
            'audit of the soak',
            `${path}${cursor === undefined ? '' : `?cursor=${encodeURIComponent(String(cursor))}`}`,
          )
    texts.push(JSON.stringify(page ?? {}))
    cursor = page?.nextCursor ?? (page?.manifest as { nextCursor?: string } | undefined)?.nextCursor
  }
  return texts.join('\n')
}
