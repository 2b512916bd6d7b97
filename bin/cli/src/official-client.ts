import { withTimeLimit } from '@gateway/sdk/bounds'

/** Clients give up after about this time. */
const LIMIT_MS = 10_000

/**
 * Connects with the official client and lists the tools; `legacy` begins with a handshake. Resolves to the number of tools and
 * the protocol revision.
 */
export async function listTools(endpoint: string, headers: Readonly<Record<string, string>>, mode: 'legacy' | 'auto'): Promise<string> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers } })
  const client = new Client({ name: 'gateway-command', version: '1' }, { versionNegotiation: { mode } })
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
