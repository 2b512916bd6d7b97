import { activation, type RecordedStep } from '@gateway/plugin-funnel/api'
import { type CallContext, optional, type Resolved } from '@gateway/sdk'

export const activationUses = { activation: optional(activation) }

/** Records an activation step of the tenant. It counts once, and its failure never fails the work itself. */
export async function recordStep({ activation }: Resolved<typeof activationUses>, step: RecordedStep, ctx: Pick<CallContext, 'log'>) {
  try {
    await activation?.record(step)
  } catch (error) {
    ctx.log.warn('A step of the activation was not recorded', { step, err: error })
  }
}
