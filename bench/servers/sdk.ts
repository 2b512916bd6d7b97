/**
 * The official SDK's stateless server as its own example builds it (`simpleStatelessStreamableHttp`): per request a
 * transport and a server with its tools and their schemas, here 189. With `shared` after the port the schemas are made
 * once, unlike in its example, and at a fraction of the cost. Both answer JSON, which is cheaper than the example's stream.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import * as z from 'zod/v4'

const TOOLS = 189
const makeSchema = () => ({
  repo: z.string().optional(),
  limit: z.number().optional(),
  status: z.enum(['pending', 'working', 'done']).optional(),
})
const shared = process.argv[3] === 'shared' ? makeSchema() : undefined

function makeServer(): McpServer {
  const server = new McpServer({ name: 'compared', version: '1.0.0' })
  for (let index = 0; index < TOOLS; index += 1) {
    server.registerTool(
      `tool_${index}`,
      { description: 'The next task of a repository.', inputSchema: shared ?? makeSchema() },
      async () => ({
        content: [{ type: 'text', text: '{"task":null}' }],
        structuredContent: { task: null },
      }),
    )
  }
  return server
}

const app = createMcpExpressApp()
app.get('/', (_request: IncomingMessage, response: ServerResponse) => response.end('{}'))
app.post('/mcp', async (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => {
  const server = makeServer()
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => {
    void transport.close()
    void server.close()
  })
  await server.connect(transport)
  await transport.handleRequest(request, response, request.body)
})
app.listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
