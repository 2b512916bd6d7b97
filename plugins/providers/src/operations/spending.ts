import { type CallContext, defined } from '@gateway/sdk'
import type { BudgetAdvice, ModelRequest, Payer, PlannedSpend, Reservation, SpendGuard } from '../api.ts'

/** A key that was issued for a piece of work is paid for by its issuer: otherwise a caller could spend beyond the cap of its own key. */
export function payerOf({ channel, channelType }: Pick<ModelRequest, 'channel' | 'channelType'>, { via, principal }: CallContext): Payer {
  const { id, label } = principal.issuedBy ?? principal
  return { channel: channel ?? channelType ?? via, member: id, ...defined({ key: label }) }
}

export async function advise(guards: readonly SpendGuard[], payer: Parameters<SpendGuard['advise']>[0]): Promise<BudgetAdvice> {
  for (const guard of guards) {
    const advice = await guard.advise(payer)
    if (advice.downgrade) return advice
  }
  return { downgrade: false }
}

/** Reserves with each guard or with none: when one refuses, the reservations of the others are released. */
export async function reserve(guards: readonly SpendGuard[], planned: PlannedSpend): Promise<Reservation> {
  const reservations: Reservation[] = []
  try {
    for (const guard of guards) reservations.push(await guard.reserve(planned))
  } catch (error) {
    for (const reservation of reservations) await reservation.release()
    throw error
  }
  return {
    async settle(spend) {
      for (const reservation of reservations) await reservation.settle(spend)
    },
    async check(costUsd) {
      for (const reservation of reservations) await reservation.check?.(costUsd)
    },
    async cover(covered) {
      for (const reservation of reservations) await reservation.cover?.(covered)
    },
    async release() {
      for (const reservation of reservations) await reservation.release()
    },
  }
}
