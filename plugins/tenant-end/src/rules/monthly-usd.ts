import type { Tenant } from '@gateway/sdk'

/** Monthly revenue of a tenant: the price of its plan; zero while it is suspended, or once it has cancelled. */
export function monthlyUsd(
  { plan, status, cancelledAt }: Pick<Tenant, 'plan' | 'status'> & { cancelledAt?: string | undefined },
  prices: Readonly<Record<Tenant['plan'], number>>,
): number {
  return status === 'active' && cancelledAt === undefined ? prices[plan] : 0
}
