import { closed, defineCollection, Type } from '@gateway/sdk'

/** A single document per tenant: the time of its first call over MCP. */
export const firsts = defineCollection('dashboard.firsts', {
  schema: Type.Object({ id: Type.Literal('mcp-call'), at: Type.String() }, closed),
  key: 'id',
})
