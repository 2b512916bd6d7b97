import { type CallContext, LOCAL_TENANT } from '@gateway/sdk'

/** The state of a provider holds for all tenants, so a tenant may not change it, not even while roles are only logged. Throws FORBIDDEN. */
export function requireOperator(ctx: CallContext): void {
  if (ctx.tenantId !== LOCAL_TENANT) ctx.require('operator')
}
