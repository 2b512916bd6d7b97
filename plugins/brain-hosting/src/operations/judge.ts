import type { PackRequest } from '@gateway/plugin-git/api'
import type { CallContext, Resolved } from '@gateway/sdk'
import type { Reservation } from '../services/push-limiter.ts'
import type { transferUses } from './transfer.ts'

/** Decides whether a push is accepted; a refusal is shown on the client's screen. */
export function judge(
  { brain }: Pick<Resolved<typeof transferUses>, 'brain'>,
  { log }: Pick<CallContext, 'log'>,
  room: Reservation,
): NonNullable<PackRequest['judge']> {
  return async (refs, quarantine) => {
    try {
      return (await brain.refusePush(refs, quarantine)) ?? (await room.fault(quarantine.bytes))
    } catch (error) {
      log.warn('a push could not be judged', { err: error })
      return 'The push could not be checked; nothing was changed. Try again.'
    }
  }
}
