import { MCPServerStreamableHttp } from '@openai/agents'
import { twice } from './twice.mjs'

const server = new MCPServerStreamableHttp({ name: 'gateway', url: process.argv[2] })
await server.connect()
await twice(async () => {
  const tools = await server.listTools()
  const [{ text }] = await server.callTool('tasks_create', { repo: 'kept', title: 'go on' })
  return { tools: tools.length, repo: JSON.parse(text).task.repo }
})
await server.close()
