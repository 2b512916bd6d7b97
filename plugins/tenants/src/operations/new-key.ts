import { CommandError, type CommandOptions, type CommandOutput, defined, EXIT, type ServiceClient } from '@gateway/sdk'
import type { Done } from './done.ts'

export const keyOptions = {
  role: {
    type: 'string',
    value: 'ROLE',
    description: 'Role of the key: viewer, member, admin or owner. Default: the highest role that has one.',
  },
  environment: { type: 'string', value: 'ENV', description: 'live (default) or test.' },
  grace: {
    type: 'string',
    value: 'MINUTES',
    description: 'Time for which the previous keys of the role stay valid. Default: the service’s setting.',
  },
} as const satisfies CommandOptions

interface Rotation {
  readonly role?: string
  readonly environment?: string
  readonly grace?: string
}
interface NewKey {
  readonly apiKey: string
  readonly graceUntil: string
}

export async function rotateKey(client: ServiceClient, tenantId: string, { role, environment, grace }: Rotation): Promise<Done> {
  const graceMinutes = grace === undefined ? undefined : Number(grace)
  if (Number.isNaN(graceMinutes)) throw new CommandError(EXIT.usage, `--grace must be a number of minutes; got ${JSON.stringify(grace)}.`)
  const body = { ...(role && { role }), ...(environment && { environment }), ...defined({ graceMinutes }) }
  const answer = (await client.post(`/api/tenants/${encodeURIComponent(tenantId)}/rotate-key`, body)) as NewKey
  return {
    answer,
    tell(output) {
      output.line(`The previous keys of the same role stay valid until ${answer.graceUntil}.`)
      showKey(answer.apiKey, output)
    },
  }
}

export function showKey(apiKey: string, output: CommandOutput): void {
  output.line('Its key, shown this once:')
  output.line(apiKey)
}
