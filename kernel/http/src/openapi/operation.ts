import type { Components } from './components.ts'

export type Json = Readonly<Record<string, unknown>>

/** One operation of the OpenAPI document: a method of a path. */
export interface OpenApiOperation extends Json {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly description: string
}

/** What the document says of a route: its operation, or those it stands for, each with its path. Asked once, when the document is made. */
export type Describe = (components: Components) => OpenApiOperation | readonly PathOperation[]
interface PathOperation {
  readonly path: string
  readonly operation: OpenApiOperation
}

declare module 'fastify' {
  interface FastifySchema {
    /** Without it the route is not in the OpenAPI document. Nothing is validated by it: Fastify’s own words would have it compile schemas. */
    describe?: Describe
  }
}

export function ref(kind: 'schemas' | 'responses', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

export function json(schema: Json): Json {
  return { content: { 'application/json': { schema } } }
}

export function jsonContent(description: string, schema: Json): Json {
  return { description, ...json(schema) }
}
