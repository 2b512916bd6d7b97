import { closed, defineRoute, installedPluginSchema, installedPlugins, Type } from '@gateway/sdk'

export const listPlugins = defineRoute({
  name: 'plugins.list',
  description:
    'List the plugins of this gateway, including disabled and failed ones: how each started, and its settings, secrets hidden. For the operator.',
  capability: 'operator',
  effect: 'read',
  rest: 'GET /api/plugins',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), plugins: Type.Array(installedPluginSchema) }, closed),
  uses: { installed: installedPlugins },
  async handle(_, { installed }) {
    const plugins = [...installed.list()]
    return { count: plugins.length, plugins }
  },
})
