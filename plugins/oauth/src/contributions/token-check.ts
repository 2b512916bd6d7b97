import { browserSessions } from '@gateway/plugin-sign-in/api'
import { contribute, defined, type Holds, tenantAdmin, tokenCheck } from '@gateway/sdk'
import { matches } from '@gateway/sdk/secrets'
import { grants as collection } from '../collections.ts'
import { config } from '../config.ts'
import { issuerOf, resourcePath } from '../rules/addresses.ts'
import { FIRST, roleFor, scopesOf } from '../rules/scopes.ts'
import { partsOf } from '../rules/secrets.ts'

/** Called unless the last answer still holds: a grant that ended on one node is void on all of them with the next call. */
export const accessCheck = contribute(tokenCheck, {
  uses: { grants: collection, keys: tenantAdmin, sessions: browserSessions, config },
  create: ({ grants, keys, sessions, config }, ctx) => ({
    dependsOn: [collection, sessions.members],
    async check(ticket) {
      const [grantId, secret] = partsOf(ticket, 2) ?? []
      if (grantId === undefined || secret === undefined || issuerOf(config) === undefined) return undefined
      const grant = await grants.get(grantId)
      const access = grant?.access.find(({ hash }) => matches(secret, hash))
      if (!grant || !access || access.expiresAt <= ctx.now().toISOString()) return undefined
      const { callerId: id, kind, label = grant.clientName, keyId, memberId, sessionId } = grant
      if (keyId !== undefined && !(await keys.standingKey(ctx.tenantId, keyId))) return undefined
      if (sessionId !== undefined && !(await sessions.stands(sessionId))) return undefined
      const role = memberId === undefined ? grant.role : await sessions.roleOfMember(memberId)
      if (role === undefined) return undefined
      // A member whose role has become less has given away less, too.
      const scopes = access.scopes.filter((scope) => scopesOf(role).includes(scope))
      if (scopes.length === 0) return undefined
      // A browser session may end by itself, which no change announces, so such a grant is read on every call.
      const holds: Holds | undefined = sessionId === undefined ? { until: access.expiresAt, ...defined({ keyId }) } : undefined
      return {
        ...defined({ holds }),
        principal: { id, kind, role: roleFor(scopes), tenantId: ctx.tenantId, scopes, ...defined({ label }) },
        isLifted: false,
      }
    },
    challenge(path, scopes = FIRST) {
      const issuer = issuerOf(config)
      if (issuer === undefined) return undefined
      return `resource_metadata="${issuer}/.well-known/oauth-protected-resource${resourcePath(path)}", scope="${scopes.join(' ')}"`
    },
  }),
})
