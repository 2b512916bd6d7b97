import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '@gateway/sdk'
import type { OpenStream } from './event-stream.ts'
import type { LazyAbort } from './lazy-abort.ts'
import type { View } from './views.ts'

/** An HTTP request to the MCP endpoint, after the guard and the JSON parser. */
export interface McpRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  readonly principal: Principal
  readonly requestId: string
  readonly view: View
  readonly abort: LazyAbort
  readonly openStream: OpenStream
}
