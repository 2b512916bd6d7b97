import type { OutsideTheStore, TenantMemory } from '@gateway/sdk'
import type { Logger } from 'pino'
import type { AuditTrail } from '../ports/audit.ts'
import type { Relay } from '../ports/relay.ts'
import type { TenantDirectory } from './directory.ts'

/** What the families know of tenants beside the store, once they are wired. */
interface BesideTheStore {
  readonly memories: () => readonly TenantMemory[]
  readonly outside: () => readonly OutsideTheStore[]
}

/** Sees to it that a process, and the data folder it has for itself, keep nothing of tenants that have ended. */
export interface EndedTenants {
  /** Everything of the tenant is removed here: other nodes are told, and remove what they have. */
  removed(tenantId: string): Promise<void>
  /** Once families are wired. What went by unheard while this process was away is made up for. */
  start(beside: BesideTheStore): void
  /** Resolves when no removal is under way. */
  close(): Promise<void>
}

const REMOVED = 'tenant.removed'

export function endedTenants(parts: {
  readonly directory: TenantDirectory
  readonly forgetCallers: (tenantId: string) => void
  readonly relay: Relay
  readonly audit: AuditTrail
  readonly isShared: boolean
  readonly log: Logger
}): EndedTenants {
  const { directory, relay, log } = parts
  let beside: BesideTheStore = { memories: () => [], outside: () => [] }
  let last: Promise<void> = Promise.resolve()
  let closed = false

  function forget(tenantId: string): void {
    parts.forgetCallers(tenantId)
    for (const memory of beside.memories()) memory.forget(tenantId)
  }

  /** In the background: whoever hears of it may not wait. What fails is tried again at the next start. */
  function removeHere(tenantId: string): void {
    if (directory.statusOf(tenantId) !== 'deleted') return
    last = last
      .then(async () => {
        if (closed) return
        forget(tenantId)
        for (const part of beside.outside()) await part.remove(tenantId)
        await parts.audit.remove(tenantId)
      })
      .catch((error: unknown) => log.error({ tenantId, err: error }, 'what this node has of a tenant that ended could not be removed'))
  }

  const removeAll = (): void => {
    for (const tenantId of directory.deleted()) removeHere(tenantId)
  }

  directory.onBlocked((tenantId) => {
    if (directory.statusOf(tenantId) === 'deleted') forget(tenantId)
  })
  relay.hear(REMOVED, ({ tenantId }) => removeHere(tenantId))
  relay.onLost(removeAll)

  return {
    async removed(tenantId) {
      forget(tenantId)
      await relay.tellSurely({ topic: REMOVED, tenantId })
    },
    start(given) {
      beside = given
      if (parts.isShared) removeAll()
    },
    async close() {
      closed = true
      await last
    },
  }
}
