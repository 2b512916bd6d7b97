import { closed, defineCollection, Type } from '@gateway/sdk'
import { StoredView } from './schema.ts'

/** A single document per tenant: the time of its first call over MCP. */
export const firsts = defineCollection('dashboard.firsts', {
  schema: Type.Object({ id: Type.Literal('mcp-call'), at: Type.String() }, closed),
  key: 'id',
})

export const views = defineCollection('dashboard.views', {
  schema: StoredView,
  key: 'viewId',
  indexes: [{ keys: { ownerId: 1, page: 1, name: 1 }, unique: true }],
})
