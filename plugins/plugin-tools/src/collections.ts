import { closed, defineCollection, type Infer, Type } from '@gateway/sdk'
import { toolFields } from './schema.ts'

const Stored = Type.Object(
  {
    ...toolFields,
    /** As JSON text: its keys are the tenant’s, and not every store takes every key. */
    schemaText: Type.String(),
    /** What its calls are signed with, sealed. */
    secret: Type.String(),
    /** On this machine, as registered by the operator: the only place its calls may go to. */
    loopback: Type.Boolean(),
  },
  closed,
)
export type StoredTool = Infer<typeof Stored>

/** At most twenty a tenant, so that they are read all at once. */
export const pluginTools = defineCollection('plugin-tools', { schema: Stored, key: 'name' })

/** One document a tenant: other after each change of its tools, in the same write. What is made of the tools is kept under it. */
export const revisions = defineCollection('plugin-tools.revisions', {
  schema: Type.Object({ of: Type.String(), revision: Type.String() }, closed),
  key: 'of',
})
export const OF_TOOLS = 'tools'
