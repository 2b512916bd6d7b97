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
 * Tools that tenants bring along. The life of one:
 *
 * 1. registered: its name, schema and address are checked; the secret its calls are signed with is shown, once;
 * 2. listed: after the tools of the gateway, for this tenant alone, on every face;
 * 3. called: the arguments are validated, then the handler gets them in one signed POST, to an address that was checked while
 *    connecting, within its time and size; what it answers is handed on as data;
 * 4. resting: after a row of failures calls are refused for a while, then one is let through to see;
 * 5. changed by registering it anew, or removed: the next list and the next call know nothing of it.
 */
export default definePlugin({
  id: 'plugin-tools',
  sdk: '^1.0.0',
  description: 'A tenant’s own tools, answered by an HTTPS handler of the tenant.',
  config,
  collections: [pluginTools, revisions],
  tools: [pluginToolsRegister, pluginToolsList, pluginToolsRemove],
  contributes: [source],
  provides: [handlersProvider],
  pages: [ownToolsPage],
})
