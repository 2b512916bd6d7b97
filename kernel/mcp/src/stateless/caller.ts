import type { Principal } from '@gateway/sdk'
import type { LazyAbort } from '../lazy-abort.ts'
import type { McpRequest } from '../mcp-request.ts'
import type { McpCaller, Refused } from '../methods.ts'
import type { View } from '../views.ts'
import type { StatelessClient } from './client.ts'

export class Caller implements McpCaller {
  readonly principal: Principal
  readonly requestId: string
  readonly view: View
  readonly progress: McpCaller['progress']
  readonly clientName: string | undefined
  abort: LazyAbort
  client: StatelessClient | undefined
  wasRefused = false

  constructor({ principal, requestId, view, abort }: McpRequest, progress: McpCaller['progress'], clientName?: string) {
    this.principal = principal
    this.requestId = requestId
    this.view = view
    this.abort = abort
    this.progress = progress
    this.clientName = clientName
  }

  refused(refusal: Refused): void {
    this.wasRefused = true
    this.client?.refused(refusal)
  }
}
