import type { ExternalData, TenantCache } from '@gateway/sdk'
import type { Logger } from 'pino'
import type { AuditTrail } from '../ports/audit.ts'
import type { Relay } from '../ports/relay.ts'
import type { TenantDirectory } from './directory.ts'

/** Data about tenants that plugins keep outside the store, known once they are wired. */
interface ExternalTenantData {
  readonly memories: () => readonly TenantCache[]
  readonly outside: () => readonly ExternalData[]
}

/** Removes data of ended tenants from a process and from the data folder that it owns. */
export interface EndedTenants {
  /** Called when everything of the tenant is removed here: other nodes are notified and remove their copies. */
  removed(tenantId: string): Promise<void>
  /** Called once plugins are wired. Catches up on removals that were missed while this process was away. */
  start(beside: ExternalTenantData): void
  /** Resolves when no removal is running. */
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
  let beside: ExternalTenantData = { memories: () => [], outside: () => [] }
  let last: Promise<void> = Promise.resolve()
  let closed = false

  function forget(tenantId: string): void {
    parts.forgetCallers(tenantId)
    for (const memory of beside.memories()) memory.forget(tenantId)
  }

  /** Runs in the background: subscribers must not block. A failure is retried at the next start. */
  function removeHere(tenantId: string): void {
    if (directory.statusOf(tenantId) !== 'deleted') return
    last = last
      .then(async () => {
        if (closed) return
        forget(tenantId)
        for (const part of beside.outside()) await part.remove(tenantId)
        await parts.audit.remove(tenantId)
      })
      .catch((error: unknown) => log.error({ tenantId, err: error }, 'the data of an ended tenant could not be removed from this node'))
  }

  const removeAll = (): void => {
    for (const tenantId of directory.deleted()) removeHere(tenantId)
  }

  directory.onBlocked((tenantId) => {
    if (directory.statusOf(tenantId) === 'deleted') forget(tenantId)
  })
  relay.subscribe(REMOVED, ({ tenantId }) => removeHere(tenantId))
  relay.onGap(removeAll)

  return {
    async removed(tenantId) {
      forget(tenantId)
      await relay.publishDurably({ topic: REMOVED, tenantId })
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
