import { hash } from 'node:crypto'
import type { Principal, Role } from '@gateway/sdk'
import { jwtVerify } from 'jose'
import type { Clock } from '../clock.ts'

/** Session tokens: HS256 only, claims `sub`, `tenantId`, `role` and `exp`, all required. */
export interface JwtVerifier {
  /** The principal, or undefined when the token is not valid now. Immediate for a token seen before. */
  verify(token: string): Principal | undefined | Promise<Principal | undefined>
}

interface Known {
  readonly principal: Principal
  readonly expiresAt: number
}

/** Verified tokens remembered until they expire: verifying costs 66 µs, more than the rest of a cheap call. */
const MAX_KNOWN = 10_000
const ROLES: readonly Role[] = ['viewer', 'member', 'admin', 'owner']
const TENANT_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/

export function jwtVerifier(secret: string, clock: Clock, maxKnown = MAX_KNOWN): JwtVerifier {
  const key = new TextEncoder().encode(secret)
  const known = new Map<string, Known>()

  async function verifyNew(token: string, digest: string): Promise<Principal | undefined> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        requiredClaims: ['sub', 'tenantId', 'role', 'exp'],
        currentDate: new Date(clock.now()),
      })
      const { sub, tenantId, role, exp } = payload as { sub: unknown; tenantId: unknown; role: unknown; exp: number }
      if (typeof sub !== 'string' || sub === '' || typeof tenantId !== 'string' || !TENANT_ID.test(tenantId)) return undefined
      // Machine roles are the gateway’s own: no token can carry them.
      if (!ROLES.includes(role as Role)) return undefined
      const expiresAt = exp * 1000
      // The library compares whole seconds; `exp` may have a fraction.
      if (expiresAt <= clock.now()) return undefined
      const principal: Principal = { id: sub, kind: 'user', role: role as Role, tenantId }
      if (known.size >= maxKnown) known.delete(known.keys().next().value as string)
      known.set(digest, { principal, expiresAt })
      return principal
    } catch {
      return undefined
    }
  }

  return {
    verify(token) {
      // Remembered by digest, so that a memory dump holds no token.
      const digest = hash('sha256', token, 'base64url')
      const found = known.get(digest)
      if (!found) return verifyNew(token, digest)
      if (found.expiresAt > clock.now()) return found.principal
      known.delete(digest)
      return undefined
    },
  }
}
