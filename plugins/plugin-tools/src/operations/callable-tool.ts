import { createSecretKey, type KeyObject } from 'node:crypto'
import type { StoredTool } from '../collections.ts'

type Registered = Pick<StoredTool, 'name' | 'hash' | 'updatedAt' | 'handlerUrl' | 'loopback' | 'timeoutMs'>

/** A tool whose handler can be called. What is the same in all of its calls is worked out once. */
export class CallableTool {
  readonly tenantId: string
  readonly name: string
  readonly hash: string
  readonly timeoutMs: number
  /** Of one tool of one tenant as it is now: registered anew, it is another one. */
  readonly id: string
  readonly url: URL
  readonly reach: 'public' | 'loopback'
  /** Its calls are signed with it. */
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
