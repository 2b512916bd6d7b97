import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { twice } from './twice.mjs'

const client = new MultiServerMCPClient({ mcpServers: { gateway: { transport: 'http', url: process.argv[2] } } })
await twice(async () => {
  const tools = await client.getTools()
  const create = tools.find(({ name }) => name === 'tasks_create')
  const { structuredContent } = await create.invoke({ repo: 'kept', title: 'go on' })
  return { tools: tools.length, repo: structuredContent.task.repo }
})
await client.close()
