import { closed, defineRoute, Type } from '@gateway/sdk'
import { shown } from '../collections.ts'
import { catalogueUses, loadConnectors } from '../operations/catalogue.ts'
import { cursorConfig, McpConfig } from '../rules/mcp-config.ts'

export const connectorsMcpConfigCursor = defineRoute({
  name: 'connectors.cursor-config',
  description: 'Make the same configuration for .cursor/mcp.json, with references in Cursor’s syntax. Returns {mcpServers}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/connectors/mcp-config/cursor',
  input: Type.Object({}, closed),
  output: McpConfig,
  uses: catalogueUses,
  handle: async (_args, refs, ctx) => cursorConfig((await loadConnectors(refs, ctx)).map(shown)),
})
