import { Conflict, type TenantAdmin } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Store } from '@gateway/storage'
import { argumentsDigest } from '@gateway/validation'
import type { Logger } from 'pino'
import { type Access, type AccessParts, access } from '../access/access.ts'
import { checkHashKey } from '../access/hash-key.ts'
import { keyRing } from '../access/key-ring.ts'
import { openLocalToken } from '../access/local-token.ts'
import { LOCAL_TENANT } from '../access/origin.ts'
import { openSecretHasher } from '../access/secrets.ts'
import type { Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import type { AuditEntry, AuditTrail, Refusals } from '../ports/audit.ts'
import type { Relay } from '../ports/relay.ts'
import { openTenantDirectory, type TenantDirectory } from '../tenancy/directory.ts'

export interface OpenedAccess {
  readonly access: Access
  readonly directory: TenantDirectory
  readonly tenantAdmin: TenantAdmin
  forget(tenantId: string): void
  close(): Promise<void>
}

/** Opens the parts that identify callers: tenants, keys, tokens. */
export async function openAccess(parts: {
  settings: Settings
  store: Store
  clock: Clock
  log: Logger
  audit: AuditTrail
  refusals: Refusals
  relay: Relay
  sessionOf: AccessParts['sessionOf']
}): Promise<OpenedAccess> {
  const { settings, store, clock, log, audit, refusals, relay } = parts
  const hasher = openSecretHasher(settings)
  await checkHashKey({ store, hasher, dataDir: settings.dataDir, log })
  const directory = await openTenantDirectory(store, clock, relay)
  const keys = keyRing(store, hasher, clock, relay, (error) => log.warn({ err: error }, 'when a key was used could not be written'))
  const localToken = await openLocalToken(settings.localToken, { store, hasher, clock, graceMinutes: settings.rotationGraceMinutes })

  // Loaded only where session tokens are in use, because it costs the start 50 ms.
  const jwt = settings.jwtSecret === undefined ? undefined : (await import('../access/jwt.ts')).jwtVerifier(settings.jwtSecret, clock)

  const tenantAdmin: TenantAdmin = {
    ...directory,
    async issueKey(tenantId, key) {
      await mustBeAlive(directory, tenantId)
      return keys.issue({ tenantId, ...key })
    },
    async listKeys(tenantId) {
      await mustBeAlive(directory, tenantId)
      return keys.list(tenantId)
    },
    revokeKey: keys.revoke,
    standingKey: keys.standing,
    ownerOfKey: async (key) => keys.principalOf(key),
    async rotateKey(tenantId, { graceMinutes = settings.rotationGraceMinutes, ...key }) {
      await mustBeAlive(directory, tenantId)
      return keys.rotate({ tenantId, graceMinutes, ...key })
    },
  }

  return {
    directory,
    tenantAdmin,
    forget(tenantId) {
      keys.forget(tenantId)
      jwt?.forget(tenantId)
    },
    close: keys.close,
    access: access({
      settings,
      clock,
      directory,
      keys,
      relay,
      localToken,
      sessionOf: parts.sessionOf,
      jwt,
      onRefused: ({ address, means, code }) => {
        // The caller is unknown, so the record belongs to the gateway.
        const entry = (): AuditEntry => ({
          at: clock.now(),
          principal: { id: 'anonymous', kind: 'user', role: 'viewer', tenantId: LOCAL_TENANT },
          name: 'auth.refused',
          tool: 'auth',
          argsDigest: argumentsDigest({}),
          decision: code,
          requestId: newId('auth-', clock.now()),
          via: 'rest',
          details: { address, means },
        })
        if (!refusals.isFirst(`auth ${address} ${means} ${code}`, LOCAL_TENANT, entry)) return
        log.warn({ event: 'auth.refused', address, means, code }, 'a credential was refused; more of the next minute are counted')
        audit.append(LOCAL_TENANT, [entry()]).catch((error: unknown) => log.error({ err: error }, 'the audit trail could not be written'))
      },
    }),
  }
}

async function mustBeAlive(directory: TenantDirectory, tenantId: string): Promise<void> {
  // The local tenant has no record. Keys for it let another machine work next to the local operator.
  if (tenantId === LOCAL_TENANT) return
  const { status } = await directory.get(tenantId)
  if (status === 'deleted') throw Conflict({ message: `Tenant ${tenantId} is deleted.` })
}
