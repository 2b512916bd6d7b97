import type { Principal, PublicRecord } from '@gateway/sdk'
import type { Scope, StoredGrant } from '../schema.ts'
import { roleFor } from './scopes.ts'

export type Audit = (record: PublicRecord) => void

type Of = Pick<StoredGrant, 'callerId' | 'kind' | 'label' | 'clientId' | 'scopes'>

/** The caller in whose name a client gets tokens, as the audit trail shows it. */
const principalOf = ({ callerId: id, kind, label, scopes }: Of, tenantId: string): Principal => ({
  id,
  kind,
  role: roleFor(scopes),
  tenantId,
  ...(label !== undefined && { label }),
})

interface About {
  readonly tenantId: string
  readonly grantId?: string | undefined
  readonly scopes?: readonly Scope[]
  /** The type of the request, such as `refresh_token`. */
  readonly by: string
}

export const given = (
  name: 'oauth.issued' | 'oauth.refreshed',
  of: Of,
  { tenantId, grantId, scopes = of.scopes, by }: About,
): PublicRecord => ({
  name,
  principal: principalOf(of, tenantId),
  details: { clientId: of.clientId, grantId, scopes, by },
})

/** A record of a request for tokens that was refused although the code or grant is known. */
export const refusedTokens = (of: Of, { tenantId, grantId, by }: About, error: string): PublicRecord => ({
  name: error === 'replay' ? 'oauth.replayed' : 'oauth.denied',
  principal: principalOf(of, tenantId),
  decision: error === 'replay' ? 'invalid_grant' : error,
  details: { clientId: of.clientId, ...(grantId !== undefined && { grantId }), by },
})

export const revokedByClient = (of: Of & Pick<StoredGrant, 'grantId'>, tenantId: string): PublicRecord => ({
  name: 'oauth.revoked',
  principal: principalOf(of, tenantId),
  details: { clientId: of.clientId, grantId: of.grantId, by: 'client' },
})
