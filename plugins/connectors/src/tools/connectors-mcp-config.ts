import { closed, defineTool, Type } from '@gateway/sdk'
import { shown } from '../collections.ts'
import { catalogueUses, loadConnectors } from '../operations/catalogue.ts'
import { McpConfig, mcpConfig } from '../rules/mcp-config.ts'

export const connectorsMcpConfig = defineTool({
  name: 'connectors_mcp_config',
  description:
    'Make the MCP configuration of a project from the connectors that are enabled. Returns {mcpServers}, to be written to .mcp.json as it is: references such as ${TOKEN} are for the client that reads it.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/connectors/mcp-config',
  input: Type.Object({}, closed),
  output: McpConfig,
  uses: catalogueUses,
  handle: async (_args, refs, ctx) => mcpConfig((await loadConnectors(refs, ctx)).map(shown)),
})
