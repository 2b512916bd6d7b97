import { cutText } from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import type { Settings } from '@gateway/settings'
import { callerHeaders, connect } from '../client.ts'
import type { Env } from '../command.ts'
import { runningIn } from '../running.ts'
import { type Finding, findings } from './finding.ts'

/** Clients give up after some such time. */
const LIMIT_MS = 10_000

/**
 * Whether a client that was not written here gets on with the gateway that runs: the official one connects in each era of the
 * protocol, with the credential of this environment, and lists the tools. Finds nothing where no gateway answers.
 */
export async function checkMcp(
  { host, port, dataDir }: Pick<Settings, 'host' | 'port' | 'dataDir'>,
  env: Env,
): Promise<readonly Finding[]> {
  const { ok, warn, fail } = findings('mcp')
  const running = runningIn(dataDir)?.url
  if (running === undefined && port === 0) return []
  const { url, get } = connect(running, { GATEWAY_HOST: host, GATEWAY_PORT: String(port) })
  const { name } = (await get('/status').catch(() => ({}))) as { name?: unknown }
  if (name !== 'gateway') return []
  const headers = callerHeaders(url, env)
  try {
    const [handshake, stateless] = [await listTools(url, headers, 'legacy'), await listTools(url, headers, 'auto')]
    return [ok(`the official client lists ${handshake}, and ${stateless}`)]
  } catch (error) {
    const { message, status } = error as Error & { readonly status?: number }
    if (status === 401)
      return [warn('the official client is not let in', 'Set GATEWAY_API_KEY to an agent’s key, or keep one with `gateway login`.')]
    const how = `${status === undefined ? '' : `status ${status}, `}${cutText(message, 300)}`
    return [fail(`the official client does not get on with ${url}/mcp: ${how}`, 'Read the log of the service; agents meet the same.')]
  }
}

async function listTools(url: string, headers: Readonly<Record<string, string>>, mode: 'legacy' | 'auto'): Promise<string> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
  const client = new Client({ name: 'gateway-doctor', version: '1' }, { versionNegotiation: { mode } })
  async function list(): Promise<string> {
    await client.connect(transport)
    const { tools } = await client.listTools()
    await transport.terminateSession()
    return `${tools.length} tools over ${client.getNegotiatedProtocolVersion()}`
  }
  try {
    return await withTimeLimit(list(), LIMIT_MS, 'connecting and listing the tools')
  } finally {
    await client.close()
  }
}
