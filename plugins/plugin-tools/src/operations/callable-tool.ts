import { createSecretKey, type KeyObject } from 'node:crypto'
import type { StoredTool } from '../collections.ts'

type Registered = Pick<StoredTool, 'name' | 'hash' | 'updatedAt' | 'handlerUrl' | 'loopback' | 'timeoutMs'>

/** A tool whose handler can be called. Everything that is the same in all of its calls is computed once. */
export class CallableTool {
  readonly tenantId: string
  readonly name: string
  readonly hash: string
  readonly timeoutMs: number
  /** Identifies the present version of one tool of one tenant; registering it again changes the id. */
  readonly id: string
  readonly url: URL
  readonly reach: 'public' | 'loopback'
  /** Signs its calls. */
  readonly key: KeyObject

  constructor(tenantId: string, { name, hash, updatedAt, handlerUrl, loopback, timeoutMs }: Registered, secret: string) {
    this.tenantId = tenantId
    this.name = name
    this.hash = hash
    this.timeoutMs = timeoutMs
    this.id = JSON.stringify([tenantId, name, updatedAt, hash])
    this.url = new URL(handlerUrl)
    this.reach = loopback ? 'loopback' : 'public'
    this.key = createSecretKey(secret, 'utf8')
  }
}
