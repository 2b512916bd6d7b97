import { closed, defineTool, Type } from '@gateway/sdk'
import { pluginTools } from '../collections.ts'
import { config } from '../config.ts'
import { shown } from '../rules/definition.ts'
import { MAX_TOOLS, PluginTool } from '../schema.ts'

export const pluginToolsList = defineTool({
  name: 'plugin_tools_list',
  description:
    'List the tools this tenant has registered for itself, by name, disabled ones included. Returns {count, tools}; a hash that has changed means another tool under the same name.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/plugin-tools',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), tools: Type.Array(PluginTool) }, closed),
  uses: { pluginTools, config },
  async handle(_args, { pluginTools, config }) {
    if (!config.enabled) return { count: 0, tools: [] }
    const { items } = await pluginTools.find({ sort: { name: 1 }, limit: MAX_TOOLS })
    return { count: items.length, tools: items.map(shown) }
  },
})
