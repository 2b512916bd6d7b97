import { closed, defineRoute, gatewayNodeSchema, gatewayNodes, Type } from '@gateway/sdk'

export const listNodes = defineRoute({
  name: 'nodes.list',
  description: 'List the gateways on this store, and which of them answers. For the operator.',
  capability: 'operator',
  effect: 'read',
  rest: 'GET /api/nodes',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), nodes: Type.Array(gatewayNodeSchema) }, closed),
  uses: { live: gatewayNodes },
  async handle(_, { live }) {
    const nodes = [...(await live.list())]
    return { count: nodes.length, nodes }
  },
})
