import type { XStatic } from 'typebox/schema'

export { Type } from './type.ts'

/** Any JSON Schema (draft 2020-12): written by hand, or built with `Type`. */
export type Schema = object

/** Tool inputs, settings and documents are objects, because MCP and OpenAPI both require that. */
export interface ObjectSchema {
  readonly type: 'object'
}

/** The TypeScript type that a schema describes. */
export type Infer<S extends Schema> = XStatic<S>
