import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { bridgeCommand } from '../support/bridge-process.ts'
import { type Agent, type Host, resultOf, textOf } from './agent.ts'

/** The official client of both protocols, over HTTP or through the bridge to the same service. */
export async function client2(url: string, host: Host, mode: VersionNegotiationMode, over: 'http' | 'stdio' = 'http'): Promise<Agent> {
  const http = new StreamableHTTPClientTransport(new URL(url))
  const transport = over === 'http' ? http : new StdioClientTransport(bridgeCommand(new URL(url).origin))
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: { sampling: {}, elicitation: { form: {} }, roots: {} } },
  )
  client.onerror = host.failed
  client.setRequestHandler('elicitation/create', async ({ params }) => ({ action: 'accept', content: host.fillIn(params.message) }))
  client.setRequestHandler('sampling/createMessage', async ({ params }) => ({
    role: 'assistant',
    model: 'test',
    content: { type: 'text', text: host.say(textOf(params.messages)) },
  }))
  client.setRequestHandler('roots/list', async () => ({ roots: host.roots.map((uri) => ({ uri })) }))
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => host.heard(params.uri))
  client.setNotificationHandler('notifications/tools/list_changed', () => host.heard('tools'))
  await client.connect(transport)
  const era = client.getProtocolEra() === 'modern' ? 'stateless' : 'handshake'
  return {
    era,
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools(undefined, { cacheMode: 'bypass' })).tools.map(({ name }) => name),
    async call(name, args = {}, { signal, onProgress } = {}) {
      const result = await client.callTool(
        { name, arguments: args },
        { ...(signal && { signal }), ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }) },
      )
      return resultOf(result)
    },
    resource: async (uri) => ((await client.readResource({ uri }, { cacheMode: 'bypass' })).contents[0] as { text?: string }).text,
    prompt: async (name) => textOf((await client.getPrompt({ name })).messages),
    async completion(prompt, argument, typed) {
      const ref = { type: 'ref/prompt', name: prompt } as const
      return (await client.complete({ ref, argument: { name: argument, value: typed } })).completion.values
    },
    async watch(uri) {
      if (era === 'handshake') await client.subscribeResource({ uri })
      else await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] })
    },
    async close() {
      if (era === 'handshake' && transport === http) await http.terminateSession()
      await client.close()
    },
  }
}
