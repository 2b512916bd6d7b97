import { createMCPClient } from '@ai-sdk/mcp'
import { twice } from './twice.mjs'

const client = await createMCPClient({ transport: { type: 'http', url: process.argv[2] } })
await twice(async () => {
  const tools = await client.tools()
  const { structuredContent } = await tools.tasks_create.execute({ repo: 'kept', title: 'go on' }, { toolCallId: '1', messages: [] })
  return { tools: Object.keys(tools).length, repo: structuredContent.task.repo }
})
await client.close()
