import { cutText } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import { callerHeaders, clientOf } from '../client.ts'
import type { Env } from '../command.ts'
import { listTools } from '../official-client.ts'
import { runningIn } from '../running.ts'
import { localUrl } from '../service-address.ts'
import { type Finding, findings } from './finding.ts'

/**
 * Checks that a foreign client gets on with the running gateway: the official client connects over the handshake protocol and the
 * stateless protocol, with the credential of this environment, and lists the tools. Finds nothing if no gateway answers.
 */
export async function checkMcp(
  { host, port, dataDir }: Pick<Settings, 'host' | 'port' | 'dataDir'>,
  env: Env,
): Promise<readonly Finding[]> {
  const { ok, warn, fail } = findings('mcp')
  const running = runningIn(dataDir)?.url
  if (running === undefined && port === 0) return []
  const url = running ?? localUrl({ GATEWAY_HOST: host, GATEWAY_PORT: String(port) })
  const address = { url, source: 'local' } as const
  const { name } = (await clientOf(address, {})
    .get('/status')
    .catch(() => ({}))) as { name?: unknown }
  if (name !== 'gateway') return []
  const headers = await callerHeaders(address, env)
  const endpoint = `${url}/mcp`
  try {
    const [handshake, stateless] = [await listTools(endpoint, headers, 'legacy'), await listTools(endpoint, headers, 'auto')]
    return [ok(`the official client lists ${handshake}, and ${stateless}`)]
  } catch (error) {
    const { message, status } = error as Error & { readonly status?: number }
    if (status === 401)
      return [warn('the official client is not let in', 'Set GATEWAY_API_KEY to an agent’s key, or keep one with `gateway login`.')]
    const how = `${status === undefined ? '' : `status ${status}, `}${cutText(message, 300)}`
    return [fail(`the official client does not get on with ${url}/mcp: ${how}`, 'Read the log of the service; agents meet the same.')]
  }
}
