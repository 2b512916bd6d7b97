import { OutgoingHttp } from '../../outgoing/src/operations/outgoing-http.ts'
import { type HandlerLimits, Handlers as OfOutgoing } from '../src/operations/handlers.ts'

const AMPLE = {
  callsPerTenant: 1_000,
  callsPerOrigin: 1_000,
  calls: 1_000,
  maxRequestBytes: 1_000_000,
  failureThreshold: 1,
  cooldownSeconds: 1,
}

/** Handlers over real HTTP, with these name servers. */
export class Handlers extends OfOutgoing {
  readonly #http: OutgoingHttp

  constructor(limits: HandlerLimits, resolve?: ConstructorParameters<typeof OutgoingHttp>[1]) {
    const http = new OutgoingHttp({ ...AMPLE, connections: limits.callsPerTool }, resolve)
    super(http, limits)
    this.#http = http
  }

  close(): Promise<void> {
    return this.#http.close()
  }
}
