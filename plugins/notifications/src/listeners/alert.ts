import { alertRaised, isSynthetic, on } from '@gateway/sdk'
import { attempt, attempting } from '../operations/attempt.ts'
import { compose } from '../operations/compose.ts'
import { deliver } from '../operations/deliver.ts'
import { tryToKeep } from '../operations/keep.ts'
import { enabledChannels } from '../rules/channels.ts'
import { pace } from '../services/pace.ts'

/** Sends an alert of any family to the operator. Alerts about a synthetic tenant are reported by its creator. */
export const onAlert = on(alertRaised, {
  uses: { ...attempting, pace },
  async handle(alert, { pace, ...refs }, ctx) {
    if (isSynthetic(ctx.tenantId)) return
    // A storm of alerts is in the log, one by one; in a chat it would only hide the next.
    const mayGo = pace.take(ctx.tenantId, 'alert', ctx.now())
    if (!mayGo) return
    const { heldBack } = mayGo
    const message =
      heldBack === 0 ? alert.message : `${alert.message}\n(${heldBack} alerts before this one were held back; the log has them.)`
    const note = compose({ ...alert, message }, ctx)
    const kept = await tryToKeep(refs, { kind: 'alert', ...note, results: [], attempts: 0 }, ctx)
    if (kept) await attempt(refs, kept, ctx)
    else await deliver(refs, { note, channels: enabledChannels(refs.config.channels) }, ctx)
  },
})
