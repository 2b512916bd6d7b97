import { TOKEN_PREFIX } from '@gateway/sdk'
import { matches } from '@gateway/sdk/secrets'
import type { Form } from '../rules/form.ts'
import { type Audit, revokedByClient } from '../rules/records.ts'
import { invalidRequest } from '../rules/refusal.ts'
import { partsOf } from '../rules/secrets.ts'
import { REFRESH_PREFIX } from './issue.ts'
import type { TokenRefs } from './tokens.ts'

/** Ends the grant of a token (RFC 7009). A token that is not valid is not an error. */
export async function revoke({ grants }: Pick<TokenRefs, 'grants'>, { token }: Form, record: Audit): Promise<void> {
  if (token === undefined) throw invalidRequest('token is missing.')
  const isRefresh = token.startsWith(REFRESH_PREFIX)
  if (!isRefresh && !token.startsWith(TOKEN_PREFIX)) return
  const parts = partsOf(token.slice(TOKEN_PREFIX.length), isRefresh ? 4 : 3)
  const [tenantId, grantId, secret] = parts ?? []
  if (tenantId === undefined || grantId === undefined || secret === undefined) return
  const grant = await grants.of(tenantId).get(grantId)
  if (!grant) return
  const isOwn = isRefresh ? matches(secret, grant.family) : grant.access.some(({ hash }) => matches(secret, hash))
  if (isOwn && (await grants.of(tenantId).deleteOne(grantId))) record(revokedByClient(grant, tenantId))
}
