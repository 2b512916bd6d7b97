import type { EmbeddedResource } from './content.ts'
import type { CallContext } from './context.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Complete } from './prompt.ts'
import type { Resolved, Uses } from './ref.ts'

/** Contents of a resource: text, or base64. */
export type ResourceContents = EmbeddedResource

/** Data that an MCP client may read by URI. */
export interface Resource {
  /** A URI, or an RFC 6570 level-1 template (`brain://{namespace}/{path}`), whose variables `read` receives. */
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
  readonly uses: Uses
  readonly read: (variables: Readonly<Record<string, string>>, uses: never, ctx: CallContext) => Promise<ResourceContents[]>
  /** Completions by variable of a template. */
  readonly complete: Readonly<Record<string, Complete<never>>>
}

const RESOURCE: MembersOf<typeof defineResource> = {
  uri: true,
  name: true,
  description: true,
  mimeType: true,
  uses: true,
  read: true,
  complete: true,
}

/** Declares a resource. Reading needs the capability `read`. Throw NotFound for a URI that names nothing. */
export function defineResource<const U extends Uses = Record<never, never>>(resource: {
  uri: string
  name: string
  description: string
  mimeType: string
  uses?: U
  read: (variables: Readonly<Record<string, string>>, uses: Resolved<U>, ctx: CallContext) => Promise<ResourceContents[]>
  /** Completions while a template's variable is typed, by variable. */
  complete?: Readonly<Record<string, Complete<Resolved<U>>>>
}): Resource {
  refuseUnknown(`resource ${resource?.name}`, resource, RESOURCE)
  return { ...resource, uses: resource.uses ?? {}, complete: resource.complete ?? {} } as unknown as Resource
}
