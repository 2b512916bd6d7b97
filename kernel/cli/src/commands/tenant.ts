import { defined, type Tenant } from '@gateway/sdk'
import { jsonOption, urlOption } from '../args.ts'
import { type Client, connectAsAdmin } from '../client.ts'
import { defineCommand, type Env } from '../command.ts'
import { CliError, EXIT, type ExitCode } from '../exit.ts'
import type { Output } from '../output.ts'

export interface TenantOptions {
  readonly plan?: string
  readonly id?: string
  readonly reason?: string
  readonly role?: string
  readonly environment?: string
  readonly grace?: string
  readonly json?: boolean
}
type Action = (client: Client, target: string | undefined, values: TenantOptions, output: Output) => Promise<void>

const actions: Readonly<Record<string, Action>> = {
  create: async (client, name, { plan, id }, output) => {
    const answer = await client.post('/api/tenants', {
      name: required(name, 'create NAME'),
      ...(plan && { plan }),
      ...(id && { tenantId: id }),
    })
    const { tenant, apiKey } = answer as { tenant: Tenant; apiKey: string }
    output.line(`Tenant ${tenant.tenantId} (${tenant.name}, ${tenant.plan}) stands.`)
    showKey(apiKey, output)
  },
  list: async (client, _target, _values, output) => {
    const { tenants } = (await client.get('/api/tenants')) as { tenants: readonly Tenant[] }
    output.table(
      tenants.map(({ tenantId, name, plan, status, createdAt }) => [
        tenantId,
        name,
        plan,
        { text: status, tone: status === 'active' ? 'good' : 'warn' },
        createdAt,
      ]),
      ['tenant', 'name', 'plan', 'status', 'created'],
    )
  },
  suspend: async (client, id, { reason }, output) => {
    await client.post(`${path(id, 'suspend')}/suspend`, reason ? { reason } : {})
    output.line(`Tenant ${id} is suspended: its callers are refused from now on.`)
  },
  reactivate: async (client, id, _values, output) => {
    await client.post(`${path(id, 'reactivate')}/reactivate`, {})
    output.line(`Tenant ${id} is active.`)
  },
  'rotate-key': async (client, id, values, output) => {
    const { apiKey, graceUntil } = await rotateKey(client, id, values)
    output.line(`The keys of its role before it stay valid until ${graceUntil}.`)
    showKey(apiKey, output)
  },
}

export const keyOptions = {
  role: {
    type: 'string',
    value: 'ROLE',
    description: 'Whose keys: viewer, member, admin or owner. Default: the highest role that has one.',
  },
  environment: { type: 'string', value: 'ENV', description: 'live (default) or test.' },
  grace: {
    type: 'string',
    value: 'MINUTES',
    description: 'How long the keys of its role before it stay valid. Default: as the service is set.',
  },
} as const

export default defineCommand({
  summary: 'Create, list, suspend, reactivate tenants and rotate their keys.',
  usage: 'create NAME | list | suspend ID | reactivate ID | rotate-key ID',
  details: 'For the operator: needs ADMIN_API_TOKEN, and for what shows a key also local trust (this machine, or GATEWAY_LOCAL_TOKEN).',
  options: {
    plan: { type: 'string', value: 'PLAN', description: 'create: free (default), solo, team or scale.' },
    id: { type: 'string', value: 'ID', description: 'create: the tenant’s id. Default: a new one.' },
    reason: { type: 'string', value: 'TEXT', description: 'suspend: why.' },
    ...keyOptions,
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, positionals: [name, target, ...more], env, output }) {
    const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action || more.length > 0)
      throw new CliError(EXIT.usage, `Expected one of: ${Object.keys(actions).join(', ')}; see \`gateway help tenant\`.`)
    return runAction(action, target, { values, env, output })
  },
})

/** With `--json` the service’s own answer is printed, whichever the action. */
export async function runAction(
  action: Action,
  target: string | undefined,
  { values, env, output }: { values: TenantOptions & { readonly url?: string }; env: Env; output: Output },
): Promise<ExitCode> {
  const client = connectAsAdmin(values.url, env)
  if (!values.json) {
    await action(client, target, values, output)
    return EXIT.ok
  }
  let answer: object = {}
  const noted = async (work: Promise<object>): Promise<object> => (answer = await work)
  const noting: Client = {
    url: client.url,
    get: (where) => noted(client.get(where)),
    post: (where, body) => noted(client.post(where, body)),
    delete: (where) => noted(client.delete(where)),
  }
  await action(noting, target, values, output.silenced())
  output.json(answer)
  return EXIT.ok
}

export async function rotateKey(
  client: Client,
  id: string | undefined,
  { role, environment, grace }: TenantOptions,
): Promise<{ readonly apiKey: string; readonly graceUntil: string }> {
  const graceMinutes = grace === undefined ? undefined : Number(grace)
  if (Number.isNaN(graceMinutes)) throw new CliError(EXIT.usage, `--grace must be a number of minutes; got ${JSON.stringify(grace)}.`)
  const body = { ...(role && { role }), ...(environment && { environment }), ...defined({ graceMinutes }) }
  return (await client.post(`${path(id, 'rotate-key')}/rotate-key`, body)) as { apiKey: string; graceUntil: string }
}

export function showKey(apiKey: string, output: Output): void {
  output.line('Its key, shown this once:')
  output.line(apiKey)
}

function path(id: string | undefined, action: string): string {
  return `/api/tenants/${encodeURIComponent(required(id, `${action} TENANT_ID`))}`
}

function required(value: string | undefined, spelling: string): string {
  if (value === undefined) throw new CliError(EXIT.usage, `Expected \`gateway tenant ${spelling}\`.`)
  return value
}
