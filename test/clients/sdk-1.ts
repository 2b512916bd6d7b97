import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { bridgeCommand } from '../support/bridge-process.ts'
import { type Agent, type Host, resultOf, textOf } from './agent.ts'

/** The official client of the handshake protocol. */
export async function sdk1(url: string, host: Host, options: { readonly fetch?: typeof fetch } = {}): Promise<Agent> {
  const transport = new StreamableHTTPClientTransport(new URL(url), options)
  // The package's own types do not agree under exactOptionalPropertyTypes.
  return await agentOver(transport as Transport, host, () => transport.terminateSession())
}

/** The same client, through the bridge to the same service. */
export async function sdk1OverStdio(url: string, host: Host): Promise<Agent> {
  return await agentOver(new StdioClientTransport(bridgeCommand(new URL(url).origin)), host, async () => undefined)
}

async function agentOver(transport: Transport, host: Host, leave: () => Promise<void>): Promise<Agent> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } } },
  )
  client.onerror = host.failed
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({ action: 'accept', content: host.fillIn(params.message) }))
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => ({
    role: 'assistant',
    model: 'test',
    content: { type: 'text', text: host.say(textOf(params.messages)) },
  }))
  client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots: host.roots.map((uri) => ({ uri })) }))
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => host.heard(params.uri))
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => host.heard('tools'))
  await client.connect(transport)
  return {
    era: 'handshake',
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}, { signal, onProgress } = {}) {
      const result = await client.callTool({ name, arguments: args }, CallToolResultSchema, {
        ...(signal && { signal }),
        ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
      })
      return resultOf(result)
    },
    resource: async (uri) => ((await client.readResource({ uri })).contents[0] as { text?: string }).text,
    prompt: async (name) => textOf((await client.getPrompt({ name })).messages),
    async completion(prompt, argument, typed) {
      const ref = { type: 'ref/prompt', name: prompt } as const
      return (await client.complete({ ref, argument: { name: argument, value: typed } })).completion.values
    },
    watch: async (uri) => void (await client.subscribeResource({ uri })),
    async close() {
      await leave()
      await client.close()
    },
  }
}
