import {
  type AccessParts,
  type AuditEntry,
  type KeyAdmin,
  newId,
  type OpenedAccess,
  openSecretHasher,
  type TenantStatuses,
} from '@gateway/kernel'
import { Conflict, LOCAL_TENANT } from '@gateway/sdk'
import { argumentsDigest } from '@gateway/validation'
import { access } from './access.ts'
import { checkHashKey } from './hash-key.ts'
import { keyRing } from './key-ring.ts'
import { openLocalToken } from './local-token.ts'

export async function openAccess(parts: AccessParts): Promise<OpenedAccess> {
  const { settings, store, clock, log, audit, refusals, relay, directory } = parts
  const hasher = openSecretHasher(settings)
  await checkHashKey({ store, hasher, dataDir: settings.dataDir, log })
  const keys = keyRing(store, hasher, clock, relay, (error) => log.warn({ err: error }, 'the last use of a key could not be stored'))
  const localToken = await openLocalToken(settings.localToken, { store, hasher, clock, graceMinutes: settings.rotationGraceMinutes })

  // Loaded only where session tokens are in use, because it costs the start 50 ms.
  const jwt = settings.jwtSecret === undefined ? undefined : (await import('./jwt.ts')).jwtVerifier(settings.jwtSecret, clock)

  const keyAdmin: KeyAdmin = {
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
    keys: keyAdmin,
    keyStands: keys.stands,
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

async function mustBeAlive(directory: TenantStatuses, tenantId: string): Promise<void> {
  // The local tenant has no record. Keys for it let another machine work next to the local operator.
  if (tenantId === LOCAL_TENANT) return
  const { status } = await directory.get(tenantId)
  if (status === 'deleted') throw Conflict({ message: `Tenant ${tenantId} is deleted.` })
}
