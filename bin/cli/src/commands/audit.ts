import { join } from 'node:path'
import { type AuditFault, type AuditRecord, parseTime } from '@gateway/sdk'
import { CommandError, EXIT, type ExitCode, jsonOption, type OutputRow } from '@gateway/sdk/command'
import type { Settings } from '@gateway/settings'
import { defineCommand } from '../command.ts'
import type { Output } from '../output.ts'
import type { TrailResult } from '../verify-trails.ts'

const ACTIONS = ['verify', 'search', 'export'] as const
type Action = (typeof ACTIONS)[number]

export default defineCommand({
  summary: 'Verify that the audit trail is unchanged; search or export it.',
  usage: 'verify | search | export',
  details: [
    'verify walks the hash chain of each tenant and reports every changed, missing, inserted or reordered record with its file and line.',
    'A missing trail is noticed, because the store has the last number of each. Keep the last hash it prints elsewhere: it also proves that the whole trail was not rewritten.',
    'search prints the records that meet all conditions, latest first; export prints the lines of a trail unchanged, oldest first.',
    'All commands read the files of this machine’s data folder, even while the service runs. With several nodes, each has the trail of the calls it served.',
  ].join('\n'),
  options: {
    tenant: { type: 'string', value: 'T', description: 'Only this tenant. Default: all to verify, local to search and export.' },
    tool: { type: 'string', value: 'NAME', description: 'search: of this tool or route.' },
    principal: { type: 'string', value: 'ID', description: 'search: of this caller, or of the key with this label.' },
    outcome: { type: 'string', value: 'CODE', description: 'search: ok, refused, or the code of a refusal.' },
    request: { type: 'string', value: 'ID', description: 'search: records of this request.' },
    from: { type: 'string', value: 'TIME', description: 'search, export: from this time on, such as 2026-01-31 or 2026-01-31T09:00:00Z.' },
    until: { type: 'string', value: 'TIME', description: 'search, export: before this time.' },
    limit: { type: 'string', value: 'N', description: 'search: maximum number of records. Default: 50.' },
    ...jsonOption,
  },
  async run({ values, positionals, env, cwd, output }) {
    const action = ACTIONS.find((one) => one === positionals.join(' '))
    if (action === undefined) throw new CommandError(EXIT.usage, `Expected \`gateway audit\` with ${ACTIONS.join(', ')}.`)
    const { loadSettings } = await import('@gateway/settings')
    const settings = loadSettings({ env, cwd })
    if (action === 'verify') return verify(settings, values, output)
    const dir = join(settings.dataDir, 'audit')
    await read(action, dir, values, output)
    return EXIT.ok
  },
})

interface Conditions {
  readonly tenant?: string
  readonly tool?: string
  readonly principal?: string
  readonly outcome?: string
  readonly request?: string
  readonly from?: string
  readonly until?: string
  readonly limit?: string
  readonly json?: boolean
}

async function verify(settings: Settings, { tenant, json }: Conditions, output: Output): Promise<ExitCode> {
  const { verifyTrails } = await import('../verify-trails.ts')
  const dir = join(settings.dataDir, 'audit')
  const { trails: results, unasked } = await verifyTrails(settings, tenant)
  if (tenant !== undefined && results.length === 0) throw noTrail(tenant, dir)
  if (json) output.json({ dir, tenants: results, ...(unasked !== undefined && { unasked }) })
  else print(results, dir, output)
  if (unasked !== undefined)
    output.complain(`gateway: whether whole trails are gone only the store knows, and it cannot be read: ${unasked}`)
  return results.every(({ faults }) => faults === 0) ? EXIT.ok : EXIT.failure
}

const noTrail = (tenant: string, dir: string): CommandError =>
  new CommandError(EXIT.failure, `There is no audit trail of tenant ${tenant} in ${dir}.`)

async function read(action: Exclude<Action, 'verify'>, dir: string, given: Conditions, output: Output): Promise<void> {
  const { auditedTenants, exportTrail, searchTrail } = await import('@gateway/audit')
  const { tenant = 'local', tool, principal, outcome, request: requestId, json } = given
  if (!(await auditedTenants(dir)).includes(tenant)) throw noTrail(tenant, dir)
  const times = { ...time('from', given.from), ...time('until', given.until) }
  if (times.from !== undefined && times.until !== undefined && times.from > times.until)
    throw new CommandError(EXIT.usage, `--from must not be after --until; got ${times.from} and ${times.until}.`)
  if (action === 'export') {
    for await (const line of exportTrail(join(dir, tenant), times)) output.line(line)
    return
  }
  const limit = given.limit === undefined ? 50 : Number(given.limit)
  if (!Number.isInteger(limit) || limit < 1)
    throw new CommandError(EXIT.usage, `--limit must be a whole number of at least 1; got ${given.limit}.`)
  const records: AuditRecord[] = []
  for (let cursor: string | undefined; ; ) {
    const query = { tool, principal, outcome, requestId, ...times, limit: limit - records.length, cursor }
    const page = await searchTrail(join(dir, tenant), query)
    records.push(...page.records)
    cursor = page.nextCursor
    if (cursor === undefined || records.length >= limit) break
  }
  if (json) output.json({ dir, tenantId: tenant, records })
  else output.table(records.map(row), ['at', 'caller', 'tool', 'record', 'outcome', 'from', 'request'])
}

const row = ({ at, principal, tool, name, decision, address = '', requestId }: AuditRecord): OutputRow => [
  at,
  principal.label === undefined ? principal.id : `${principal.id} (${principal.label})`,
  tool,
  name,
  { text: decision, tone: decision === 'ok' ? 'good' : 'bad' },
  address,
  requestId,
]

/** Records carry ISO times, which sort as text. */
function time<Name extends 'from' | 'until'>(name: Name, text: string | undefined): { [K in Name]?: string } {
  if (text === undefined) return {}
  const at = parseTime(text)
  if (Number.isNaN(at))
    throw new CommandError(EXIT.usage, `--${name} must be a time such as 2026-01-31T09:00:00Z; got ${JSON.stringify(text)}.`)
  return { [name]: new Date(at).toISOString() } as { [K in Name]?: string }
}

const placeOf = (tenantId: string, { file, line, seq }: AuditFault): string =>
  file === '' ? tenantId : `${join(tenantId, file)}:${line} seq ${seq}`

type Results = readonly TrailResult[]

function print(results: Results, dir: string, output: Output): void {
  if (results.length === 0) output.line(`There is no audit trail in ${dir} yet.`)
  for (const { tenantId, records, files, faults, found, notes, last } of results) {
    const verdict = faults === 0 ? output.paint('intact', 'good') : output.paint(`${faults} fault${faults === 1 ? '' : 's'}`, 'bad')
    output.line(`${tenantId}: ${verdict}, ${records} records in ${files} files, last ${last.seq} ${last.hash}`)
    for (const fault of found) output.line(`  ${placeOf(tenantId, fault)}: ${fault.message}`)
    if (found.length < faults) output.line(`  … and ${faults - found.length} more`)
    for (const note of notes) output.line(`  note: ${note}`)
  }
}
