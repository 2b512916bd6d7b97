import { definePlugin } from '@gateway/sdk'
import { pluginTools, revisions } from './collections.ts'
import { config } from './config.ts'
import { source } from './contributions/tenant-tools.ts'
import { ownToolsPage } from './pages/own-tools.ts'
import { handlersProvider } from './services/handlers.ts'
import { pluginToolsList } from './tools/plugin-tools-list.ts'
import { pluginToolsRegister } from './tools/plugin-tools-register.ts'
import { pluginToolsRemove } from './tools/plugin-tools-remove.ts'

/**
 * Tools that tenants register. Life of a tool:
 *
 * 1. Registered: its name, schema and address are checked; the secret that signs its calls is shown once.
 * 2. Listed: after the tools of the gateway, only for this tenant, on every transport.
 * 3. Called: the arguments are validated, then the handler receives them in one signed POST, to an address that was checked while
 *    connecting, within its limits of time and size; its answer is passed on as data.
 * 4. Cooling down: after consecutive failures calls are refused for a while, then one is let through as a probe.
 * 5. Changed by registering it again, or removed: the next list and the next call reflect it.
 */
export default definePlugin({
  id: 'plugin-tools',
  sdk: '^1.0.0',
  description: 'A tenant’s own tools, served by the tenant’s HTTPS handlers.',
  config,
  collections: [pluginTools, revisions],
  tools: [pluginToolsRegister, pluginToolsList, pluginToolsRemove],
  contributes: [source],
  provides: [handlersProvider],
  pages: [ownToolsPage],
})
