import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { twice } from './twice.mjs'

const args = ['node_modules/mcp-remote/dist/proxy.js', process.argv[2], '--transport', 'http-only']
const transport = new StdioClientTransport({ command: process.execPath, args, cwd: import.meta.dirname, stderr: 'ignore' })
const client = new Client({ name: 'behind-mcp-remote', version: '1.0.0' })
await client.connect(transport)
await twice(async () => {
  const { tools } = await client.listTools()
  const { structuredContent } = await client.callTool({ name: 'tasks_create', arguments: { repo: 'kept', title: 'go on' } })
  return { tools: tools.length, repo: structuredContent.task.repo }
})
await client.close()
