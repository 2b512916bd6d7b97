import { CommandError, EXIT, isCommandError, type ServiceClient } from '@gateway/sdk'
import { isPassing, refusalCode } from './service-error.ts'

/** The caller that the gateway sees. */
interface Identity {
  readonly tenantId: string
  readonly tenantName: string
  readonly role: string
  readonly principal: { readonly id: string; readonly kind: string }
  readonly capabilities: readonly string[]
}

const WAY =
  'Put a key of role member into GATEWAY_API_KEY, or store one with `gateway login`; the page API keys of the dashboard makes keys.'

/**
 * Asks the gateway who calls before the first task is taken, and returns a sentence that names the tenant whose tasks are taken. Throws
 * what is wrong with the address or the key, and what to do about it.
 */
export async function checkKey(client: ServiceClient): Promise<string> {
  const identity = await whoami(client)
  // A gateway without tenants does not tell.
  if (identity === undefined) return `Takes tasks of ${client.url}.`
  const { tenantId, tenantName, role, principal, capabilities } = identity
  const tenant = tenantName === tenantId ? tenantId : `${tenantName} (${tenantId})`
  if (!capabilities.includes('work')) {
    throw new CommandError(
      EXIT.refused,
      `The key ${principal.id} has the role ${role} in the tenant ${tenant}, which may not work on tasks. ${WAY}`,
    )
  }
  return `Takes tasks of the tenant ${tenant} at ${client.url}, as ${principal.id} (${role}).`
}

async function whoami(client: ServiceClient): Promise<Identity | undefined> {
  try {
    return (await client.get('/api/auth/whoami')) as Identity
  } catch (error) {
    if (['NOT_FOUND', 'UNKNOWN_ROUTE'].includes(refusalCode(error) ?? '')) return undefined
    throw explained(error, client.url)
  }
}

/** The error with the way out of it: for a refused key, and for an address at which something else answers. */
export function explained(error: unknown, url: string): unknown {
  if (!isCommandError(error)) return error
  const code = refusalCode(error)
  if (code === 'UNAUTHORIZED' || code === 'FORBIDDEN') {
    const sentence = `${url} refuses the key: ${error.message} ${WAY}`
    return new CommandError(EXIT.refused, sentence, { ...error.record, error: sentence })
  }
  return isOtherService(error) ? new CommandError(EXIT.usage, `${error.message} Name the gateway with --url or GATEWAY_URL.`) : error
}

/** True if a web server that is not a gateway has answered. One that has trouble may stand in front of a gateway that starts. */
const isOtherService = (error: unknown): boolean =>
  isPassing(error) && isCommandError(error) && / does not answer like a gateway \(status [1-4]\d\d,/.test(error.message)
