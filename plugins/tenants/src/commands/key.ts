import {
  CommandError,
  type CommandOutput,
  commandHandler,
  EXIT,
  type IssuedKey,
  jsonOption,
  type ServiceClient,
  type TenantKey,
  urlOption,
} from '@gateway/sdk'
import { type Done, print } from '../operations/done.ts'

const SPELLINGS = 'Expected `gateway key list`, `gateway key create` or `gateway key revoke KEY_ID`; see `gateway help key`.'

export default commandHandler({
  usage: 'list | create | revoke KEY_ID',
  details: [
    'Without --tenant: keys of your own tenant. Your role needs the capability members, and a key gets at most your role.',
    'With --tenant: keys of any tenant, for the operator. Needs ADMIN_API_TOKEN; `create` also needs local trust (this machine, or',
    'GATEWAY_LOCAL_TOKEN).',
  ].join('\n'),
  options: {
    tenant: { type: 'string', value: 'ID', description: 'Tenant of the keys, for the operator. Default: your own.' },
    label: { type: 'string', value: 'TEXT', description: 'create: agent or machine that uses it; audit, logs and lists show it.' },
    role: { type: 'string', value: 'ROLE', description: 'create: viewer, member (default), admin or owner.' },
    environment: { type: 'string', value: 'ENV', description: 'create: live (default) or test.' },
    expires: { type: 'string', value: 'TIME', description: 'create: expiry, such as 2026-12-31T00:00:00Z. Default: none.' },
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, positionals: [action, keyId, ...more], output, connect, connectAsAdmin }) {
    const { tenant, label, role, environment, expires, json } = values
    if (more.length > 0 || (keyId !== undefined) !== (action === 'revoke')) throw new CommandError(EXIT.usage, SPELLINGS)
    const client = tenant === undefined ? connect() : connectAsAdmin()
    const path = tenant === undefined ? '/api/keys' : `/api/tenants/${encodeURIComponent(tenant)}/keys`
    const draft = {
      ...(label && { label }),
      ...(role && { role }),
      ...(environment && { environment }),
      ...(expires && { expiresAt: expires }),
    }
    print(await act(action, client, path, keyId, draft), json, output)
    return EXIT.ok
  },
})

async function act(
  action: string | undefined,
  client: ServiceClient,
  path: string,
  keyId: string | undefined,
  draft: object,
): Promise<Done> {
  switch (action) {
    case 'list': {
      const answer = (await client.get(path)) as { keys: readonly TenantKey[] }
      return { answer, tell: (output) => table(answer.keys, output) }
    }
    case 'create': {
      const answer = (await client.post(path, draft)) as IssuedKey
      return { answer, tell: (output) => show(answer, output) }
    }
    case 'revoke': {
      const answer = (await client.delete(`${path}/${encodeURIComponent(keyId as string)}`)) as { key: TenantKey }
      return { answer, tell: (output) => output.line(`Key ${named(answer.key)} is void from now on.`) }
    }
    default:
      throw new CommandError(EXIT.usage, SPELLINGS)
  }
}

const named = ({ keyId, label }: TenantKey): string => (label === undefined ? keyId : `${keyId} (${label})`)

function show({ keyId, apiKey }: IssuedKey, output: CommandOutput): void {
  output.line(`Key ${keyId} is made. It is shown this once:`)
  output.line(apiKey)
}

function table(keys: readonly TenantKey[], output: CommandOutput): void {
  output.table(
    keys.map(({ keyId, label = '', role, environment, createdAt, lastUsedAt = 'never', expiresAt = 'never' }) => [
      keyId,
      label,
      role,
      environment,
      createdAt,
      lastUsedAt,
      expiresAt,
    ]),
    ['key', 'label', 'role', 'environment', 'created', 'last used', 'ends'],
  )
}
