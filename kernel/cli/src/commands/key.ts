import type { IssuedKey, TenantKey } from '@gateway/sdk'
import { jsonOption, urlOption } from '../args.ts'
import { type Client, connect, connectAsAdmin } from '../client.ts'
import { defineCommand } from '../command.ts'
import { CliError, EXIT } from '../exit.ts'
import type { Output } from '../output.ts'

const SPELLINGS = 'Expected `gateway key list`, `gateway key create [--label L]` or `gateway key revoke KEY_ID`.'

export default defineCommand({
  summary: 'List, create and revoke API keys, one for each agent.',
  usage: 'list | create | revoke KEY_ID',
  details: [
    'Of the own tenant, as the caller of the other commands, who needs the capability members; a key has at most the caller’s role.',
    'With --tenant of any tenant, for the operator: needs ADMIN_API_TOKEN, and to create one local trust as well.',
  ].join('\n'),
  options: {
    tenant: { type: 'string', value: 'ID', description: 'Whose keys, for the operator. Default: the own tenant’s.' },
    label: { type: 'string', value: 'TEXT', description: 'create: whose it is; audit, logs and lists name it.' },
    role: { type: 'string', value: 'ROLE', description: 'create: viewer, member (default), admin or owner.' },
    environment: { type: 'string', value: 'ENV', description: 'create: live (default) or test.' },
    expires: { type: 'string', value: 'TIME', description: 'create: when it ends, as 2026-12-31T00:00:00Z. Default: it does not.' },
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, positionals: [action, keyId, ...more], env, output }) {
    const { tenant, label, role, environment, expires, json } = values
    if (more.length > 0 || (keyId !== undefined) !== (action === 'revoke')) throw new CliError(EXIT.usage, SPELLINGS)
    const client = tenant === undefined ? connect(values.url, env) : connectAsAdmin(values.url, env)
    const path = tenant === undefined ? '/api/keys' : `/api/tenants/${encodeURIComponent(tenant)}/keys`
    const draft = {
      ...(label && { label }),
      ...(role && { role }),
      ...(environment && { environment }),
      ...(expires && { expiresAt: expires }),
    }
    const [answer, print] = await act(action, client, path, keyId, draft)
    if (json) output.json(answer)
    else print(output)
    return EXIT.ok
  },
})

async function act(
  action: string | undefined,
  client: Client,
  path: string,
  keyId: string | undefined,
  draft: object,
): Promise<readonly [object, (output: Output) => void]> {
  switch (action) {
    case 'list': {
      const answer = (await client.get(path)) as { keys: readonly TenantKey[] }
      return [answer, (output) => table(answer.keys, output)]
    }
    case 'create': {
      const answer = (await client.post(path, draft)) as IssuedKey
      return [answer, (output) => show(answer, output)]
    }
    case 'revoke': {
      const answer = (await client.delete(`${path}/${encodeURIComponent(keyId as string)}`)) as { key: TenantKey }
      return [answer, (output) => output.line(`Key ${named(answer.key)} is void from now on.`)]
    }
    default:
      throw new CliError(EXIT.usage, SPELLINGS)
  }
}

const named = ({ keyId, label }: TenantKey): string => (label === undefined ? keyId : `${keyId} (${label})`)

function show({ keyId, apiKey }: IssuedKey, output: Output): void {
  output.line(`Key ${keyId} stands. Shown this once:`)
  output.line(apiKey)
}

function table(keys: readonly TenantKey[], output: Output): void {
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
