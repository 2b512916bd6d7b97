/** Content that an MCP client can show besides JSON: a piece of a tool's result or of a prompt's message. */
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

/** Exactly one of `text` and `blob` (base64). A call that returns both or neither fails, and the log names its plugin. */
export type EmbeddedResource = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string; readonly blob?: undefined }
  | { readonly blob: string; readonly text?: undefined }
)

/** A registered symbol, because two copies of this package can be loaded in one process. JSON omits it. */
const CONTENT = Symbol.for('@gateway/sdk.content')

/**
 * Returns the same result with content that MCP clients show instead of the result's JSON as text. Programs (REST, jobs) and
 * `structuredContent` get the result; for a result without members they get `{ content }`.
 */
export function withContent<Result extends object>(result: Result, content: readonly ContentBlock[]): Result {
  return Object.defineProperty(result, CONTENT, { value: content })
}

/** Returns the content blocks of a result made by `withContent`. */
export function contentOf(result: object): readonly ContentBlock[] | undefined {
  return (result as { [CONTENT]?: readonly ContentBlock[] })[CONTENT]
}
