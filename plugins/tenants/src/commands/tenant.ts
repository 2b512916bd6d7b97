import { CommandError, commandHandler, EXIT, jsonOption, type ServiceClient, type Tenant, urlOption } from '@gateway/sdk'
import { type Done, print } from '../operations/done.ts'
import { keyOptions, rotateKey, showKey } from '../operations/new-key.ts'

interface Values {
  readonly plan?: string
  readonly id?: string
  readonly reason?: string
  readonly role?: string
  readonly environment?: string
  readonly grace?: string
}
type Action = (client: ServiceClient, target: string | undefined, values: Values) => Promise<Done>

const actions: Readonly<Record<string, Action>> = {
  create: async (client, name, { plan, id }) => {
    const draft = { name: required(name, 'create NAME'), ...(plan && { plan }), ...(id && { tenantId: id }) }
    const answer = (await client.post('/api/tenants', draft)) as { tenant: Tenant; apiKey: string }
    return {
      answer,
      tell(output) {
        const { tenant, apiKey } = answer
        output.line(`Tenant ${tenant.tenantId} (${tenant.name}, ${tenant.plan}) is made.`)
        showKey(apiKey, output)
      },
    }
  },
  list: async (client) => {
    const tenants: Tenant[] = []
    let cursor: string | undefined
    do {
      const query: string = cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`
      const page = (await client.get(`/api/tenants${query}`)) as { tenants: readonly Tenant[]; nextCursor?: string }
      tenants.push(...page.tenants)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    const answer = { count: tenants.length, tenants }
    const row = ({ tenantId, name, plan, status, createdAt }: Tenant) => [
      tenantId,
      name,
      plan,
      { text: status, tone: status === 'active' ? 'good' : 'warn' } as const,
      createdAt,
    ]
    return { answer, tell: (output) => output.table(answer.tenants.map(row), ['tenant', 'name', 'plan', 'status', 'created']) }
  },
  suspend: async (client, id, { reason }) => {
    const answer = await client.post(`${path(id, 'suspend')}/suspend`, reason ? { reason } : {})
    return { answer, tell: (output) => output.line(`Tenant ${id} is suspended: its callers are refused from now on.`) }
  },
  reactivate: async (client, id) => {
    const answer = await client.post(`${path(id, 'reactivate')}/reactivate`, {})
    return { answer, tell: (output) => output.line(`Tenant ${id} is active.`) }
  },
  'rotate-key': (client, id, values) => rotateKey(client, required(id, 'rotate-key TENANT_ID'), values),
}

export default commandHandler({
  usage: 'create NAME | list | suspend ID | reactivate ID | rotate-key ID',
  details: [
    'For the operator: needs ADMIN_API_TOKEN, and for what shows a key also local trust (this machine, or GATEWAY_LOCAL_TOKEN).',
    'A name is for people, and several tenants may have it; the id is what tells them apart.',
  ].join('\n'),
  options: {
    plan: { type: 'string', value: 'PLAN', description: 'create: free (default), solo, team or scale.' },
    id: { type: 'string', value: 'ID', description: 'create: the tenant’s id. Default: a new one.' },
    reason: { type: 'string', value: 'TEXT', description: 'suspend: reason.' },
    ...keyOptions,
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, positionals: [name, target, ...more], output, connectAsAdmin }) {
    const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action || more.length > 0)
      throw new CommandError(EXIT.usage, `Expected one of: ${Object.keys(actions).join(', ')}; see \`gateway help tenant\`.`)
    print(await action(connectAsAdmin(), target, values), values.json, output)
    return EXIT.ok
  },
})

function path(id: string | undefined, action: string): string {
  return `/api/tenants/${encodeURIComponent(required(id, `${action} TENANT_ID`))}`
}

function required(value: string | undefined, spelling: string): string {
  if (value === undefined) throw new CommandError(EXIT.usage, `Expected \`gateway tenant ${spelling}\`.`)
  return value
}
