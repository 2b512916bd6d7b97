import { closed, type Infer, Type } from '@gateway/sdk'

export const TIMEOUT_MS = { min: 250, max: 30_000, default: 10_000 } as const
export const MAX_TOOLS = 20

export const toolFields = {
  name: Type.String(),
  description: Type.String(),
  handlerUrl: Type.String(),
  timeoutMs: Type.Integer(),
  enabled: Type.Boolean(),
  hash: Type.String({ description: 'SHA-256 of name, description, schema, handlerUrl and timeoutMs: a new hash means a changed tool.' }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  updatedBy: Type.String({ description: 'Principal that registered it last.' }),
}

/** A tool as its tenant sees it: everything but the secret. */
export const PluginTool = Type.Object({ ...toolFields, schema: Type.Object({}, { description: 'JSON Schema of its arguments.' }) }, closed)
export type PluginTool = Infer<typeof PluginTool>
