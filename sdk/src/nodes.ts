import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'
import { defineService } from './service.ts'

/** A live gateway process on the store. */
export const gatewayNodeSchema = Type.Object(
  {
    nodeId: Type.String(),
    host: Type.String(),
    pid: Type.Integer(),
    startedAt: Type.String(),
    self: Type.Boolean({ description: 'The node that answers.' }),
  },
  closed,
)
/** A live gateway process on the store. */
export type GatewayNode = Infer<typeof gatewayNodeSchema>

/** Lists the gateways on this store. */
export interface GatewayNodes {
  /** Live nodes, at most 1,000. A node that died is listed for up to 40 seconds. */
  list(): Promise<readonly GatewayNode[]>
}
/** Provided by the kernel. It reveals the gateway's configuration, so it is for the operator. */
export const gatewayNodes = defineService<GatewayNodes>('gateway.live-nodes', 'process')
