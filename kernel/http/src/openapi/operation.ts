import type { Components } from './components.ts'
import type { Json } from './json.ts'

export interface OpenApiOperation extends Json {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly description: string
}

/** Describes a route: its operation, or those it represents, each with its path. Called once, when the document is built. */
export type Describe = (components: Components) => OpenApiOperation | readonly PathOperation[]
interface PathOperation {
  readonly path: string
  readonly operation: OpenApiOperation
}

declare module 'fastify' {
  interface FastifySchema {
    /**
     * Without it the route is not in the OpenAPI document. It validates nothing: Fastify's own keywords would make it compile
     * schemas.
     */
    describe?: Describe
  }
}
