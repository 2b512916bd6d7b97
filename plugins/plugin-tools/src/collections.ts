import { closed, defineCollection, type Infer, Type } from '@gateway/sdk'
import { toolFields } from './schema.ts'

const Stored = Type.Object(
  {
    ...toolFields,
    /** Stored as JSON text, because the tenant chooses the keys and not every store accepts every key. */
    schemaText: Type.String(),
    /** Key that signs its calls, sealed. */
    secret: Type.String(),
    /** True for a handler on this machine, registered by the operator: its calls may go nowhere else. */
    loopback: Type.Boolean(),
  },
  closed,
)
export type StoredTool = Infer<typeof Stored>

/** At most twenty per tenant, so they are read all at once. */
export const pluginTools = defineCollection('plugin-tools', { schema: Stored, key: 'name' })

/** Each tenant has one document, changed in the same write as its tools. Data derived from the tools is cached under it. */
export const revisions = defineCollection('plugin-tools.revisions', {
  schema: Type.Object({ of: Type.String(), revision: Type.String() }, closed),
  key: 'of',
})
export const OF_TOOLS = 'tools'
