import type { CallContext } from './context.ts'
import type { Resolved, Uses } from './ref.ts'

export interface ResourceContents {
  readonly uri: string
  readonly mimeType?: string
  /** Exactly one of `text` and `blob` (base64). */
  readonly text?: string
  readonly blob?: string
}

/** Something an MCP client may read by URI. */
export interface Resource {
  /** A URI, or an RFC 6570 level-1 template (`brain://{namespace}/{path}`), whose variables `read` receives. */
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
  readonly uses: Uses
  readonly read: (variables: Readonly<Record<string, string>>, uses: never, ctx: CallContext) => Promise<ResourceContents[]>
}

/** Declare a resource. Reading needs the capability `read`. Throw NotFound for a URI that names nothing. */
export function defineResource<const U extends Uses = Record<never, never>>(resource: {
  uri: string
  name: string
  description: string
  mimeType: string
  uses?: U
  read: (variables: Readonly<Record<string, string>>, uses: Resolved<U>, ctx: CallContext) => Promise<ResourceContents[]>
}): Resource {
  return { ...resource, uses: resource.uses ?? {} } as unknown as Resource
}
