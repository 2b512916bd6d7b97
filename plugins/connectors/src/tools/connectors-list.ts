import { closed, defineTool, Type } from '@gateway/sdk'
import { shown } from '../collections.ts'
import { catalogueUses, loadConnectors } from '../operations/catalogue.ts'
import { Connector } from '../schema.ts'

export const connectorsList = defineTool({
  name: 'connectors_list',
  description:
    'List the MCP servers that projects can connect to, the curated ones and your own, by key. Returns {connectors}; requiresEnv names the environment variables that a client needs.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/connectors',
  input: Type.Object({}, closed),
  output: Type.Object({ connectors: Type.Array(Connector) }, closed),
  uses: catalogueUses,
  handle: async (_args, refs, ctx) => ({ connectors: (await loadConnectors(refs, ctx)).map(shown) }),
})
