import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'
import { defineService } from './service.ts'

/** A gateway process that lives on the store. */
export const gatewayNodeSchema = Type.Object(
  {
    nodeId: Type.String(),
    host: Type.String(),
    pid: Type.Integer(),
    startedAt: Type.String(),
    self: Type.Boolean({ description: 'It is the one that answers.' }),
  },
  closed,
)
/** A gateway process that lives on the store. */
export type GatewayNode = Infer<typeof gatewayNodeSchema>

/** Which gateways live on this store. */
export interface GatewayNodes {
  /** Those that live, at most 1,000: a node that died stays for up to 40 seconds. */
  list(): Promise<readonly GatewayNode[]>
}
/** Provided by the kernel; it tells how the gateway is set up, so it is for the operator. */
export const gatewayNodes = defineService<GatewayNodes>('gateway.live-nodes', 'process')
