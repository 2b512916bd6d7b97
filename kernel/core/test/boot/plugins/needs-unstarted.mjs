import { definePlugin, defineService, defineTool, optional, Type } from '@gateway/sdk'

const service = defineService('start-throws.service')
const forProcess = defineService('start-throws.process', 'process')
const needs = (name, uses) =>
  defineTool({
    name,
    description: 'Returns whether a service is there.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({ there: Type.Boolean() }),
    uses,
    handle: async (_, { service, forProcess }) => ({ there: service !== undefined || forProcess !== undefined }),
  })

const plugin = (id, uses) =>
  definePlugin({ id, sdk: '^1.0.0', description: 'Uses a service of another plugin.', tools: [needs(id.replaceAll('-', '_'), uses)] })

export const wants = plugin('wants-it', { service: optional(service), forProcess: optional(forProcess) })
export default plugin('needs-it', { service })
