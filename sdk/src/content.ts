/** What an MCP client can show besides JSON: a piece of a tool’s result or of a prompt’s message. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: EmbeddedResource }
  | {
      readonly type: 'resource_link'
      readonly uri: string
      readonly name: string
      readonly description?: string
      readonly mimeType?: string
    }

/** Exactly one of `text` and `blob` (base64); a call that gives both or none fails, and the log names its plugin. */
export type EmbeddedResource = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string; readonly blob?: undefined }
  | { readonly blob: string; readonly text?: undefined }
)

/** A symbol of the registry: two copies of this package can live in one process. JSON leaves it out. */
const CONTENT = Symbol.for('@gateway/sdk.content')

/**
 * The same result, with content that MCP clients show instead of the result’s JSON as text. Programs (REST, jobs) get
 * the result, as does `structuredContent`; of a result without members they get `{ content }`.
 */
export function withContent<Result extends object>(result: Result, content: readonly ContentBlock[]): Result {
  return Object.defineProperty(result, CONTENT, { value: content })
}

/** The content blocks a result carries, if it was made `withContent`. */
export function contentOf(result: object): readonly ContentBlock[] | undefined {
  return (result as { [CONTENT]?: readonly ContentBlock[] })[CONTENT]
}
