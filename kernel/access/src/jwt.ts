import type { Clock } from '@gateway/kernel'
import type { Principal, Role } from '@gateway/sdk'
import { jwtVerify } from 'jose'
import { Remembered } from './remembered.ts'

/** Session tokens use HS256 and require the claims `sub`, `tenantId`, `role` and `exp`. */
export interface JwtVerifier {
  /** Returns the principal, or undefined if the token is not valid now. Synchronous for a token seen before. */
  verify(token: string): Principal | undefined | Promise<Principal | undefined>
  forget(tenantId: string): void
}

const ROLES: readonly Role[] = ['viewer', 'member', 'admin', 'owner']
const TENANT_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/

export function jwtVerifier(secret: string, clock: Clock, maxKnown?: number): JwtVerifier {
  const key = new TextEncoder().encode(secret)
  const known = new Remembered(clock, maxKnown)

  async function verifyNew(token: string, digest: string): Promise<Principal | undefined> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        requiredClaims: ['sub', 'tenantId', 'role', 'exp'],
        currentDate: new Date(clock.now()),
      })
      const { sub, tenantId, role, exp } = payload as { sub: unknown; tenantId: unknown; role: unknown; exp: number }
      if (typeof sub !== 'string' || sub === '' || typeof tenantId !== 'string' || !TENANT_ID.test(tenantId)) return undefined
      // Machine roles belong to the gateway; no token can carry them.
      if (!ROLES.includes(role as Role)) return undefined
      const validUntil = exp * 1000
      // The library compares whole seconds, but `exp` may have a fraction.
      if (validUntil <= clock.now()) return undefined
      const principal: Principal = { id: sub, kind: 'user', role: role as Role, tenantId }
      known.remember(digest, { principal, validUntil })
      return principal
    } catch {
      return undefined
    }
  }

  return {
    verify: (token) => known.principalOf(token, (digest) => verifyNew(token, digest)),
    forget: (tenantId) => known.forgetTenant(tenantId),
  }
}
