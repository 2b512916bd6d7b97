import { definePlugin } from '@gateway/sdk'
import { connectors } from './collections.ts'
import { bundledConnectors } from './contributions/curated.ts'
import { connectorsPage } from './pages/connectors.ts'
import { connectorsMcpConfigCursor } from './routes/cursor-config.ts'
import { connectorsList } from './tools/connectors-list.ts'
import { connectorsMcpConfig } from './tools/connectors-mcp-config.ts'
import { connectorsRemove } from './tools/connectors-remove.ts'
import { connectorsSeedDefaults } from './tools/connectors-seed-defaults.ts'
import { connectorsSet } from './tools/connectors-set.ts'
import { connectorsToggle } from './tools/connectors-toggle.ts'

/**
 * The MCP servers that projects connect to. The gateway keeps them as text and hands them to the clients that connect: it runs
 * none of their commands, opens no address, and looks up no variable of theirs.
 */
export default definePlugin({
  id: 'connectors',
  sdk: '^1.0.0',
  description: 'MCP servers for the projects of a tenant: a curated set, your own, and the configuration for clients.',
  collections: [connectors],
  tools: [connectorsList, connectorsSeedDefaults, connectorsSet, connectorsToggle, connectorsRemove, connectorsMcpConfig],
  routes: [connectorsMcpConfigCursor],
  contributes: bundledConnectors,
  pages: [connectorsPage],
})
