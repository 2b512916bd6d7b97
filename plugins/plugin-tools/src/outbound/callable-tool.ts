import { createSecretKey, type KeyObject } from 'node:crypto'
import type { StoredTool } from '../collections.ts'
import type { Target } from './pools.ts'

type Registered = Pick<StoredTool, 'name' | 'hash' | 'updatedAt' | 'handlerUrl' | 'loopback' | 'timeoutMs'>

/** A tool whose handler can be called. What is the same in all of its calls is worked out once. */
export class CallableTool {
  readonly name: string
  readonly hash: string
  readonly timeoutMs: number
  /** Of one tool of one tenant as it is now: registered anew, it is another one. */
  readonly id: string
  readonly target: Target
  readonly path: string
  /** Its calls are signed with it. */
  readonly key: KeyObject

  constructor(tenantId: string, { name, hash, updatedAt, handlerUrl, loopback, timeoutMs }: Registered, secret: string) {
    const { origin, hostname, pathname, search } = new URL(handlerUrl)
    this.name = name
    this.hash = hash
    this.timeoutMs = timeoutMs
    this.id = JSON.stringify([tenantId, name, updatedAt, hash])
    this.target = { tenantId, origin, hostname, loopback }
    this.path = `${pathname}${search}`
    this.key = createSecretKey(secret, 'utf8')
  }
}
