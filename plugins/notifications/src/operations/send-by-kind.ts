import { type CallContext, LOCAL_TENANT } from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import type { ChannelKind, ChannelOutcome, ComposedNote } from '../api.ts'
import type { OtherChannel } from '../rules/channels.ts'

const UNREACHED: ChannelOutcome = { sent: false, error: 'It could not be sent; the log says why.', transient: true }

/** Sends a note through a channel whose kind another plugin contributes. Never throws. */
export async function sendByKind(
  kinds: readonly ChannelKind[],
  { kind: name, settings = {} }: OtherChannel,
  note: ComposedNote,
  timeoutMs: number,
  ctx: CallContext,
): Promise<ChannelOutcome> {
  const kind = kinds.find((one) => one.kind === name)
  if (kind === undefined) return { sent: false, error: `No running plugin contributes its kind, ${name}.` }
  const fault = kind.settingsFault(settings)
  if (fault !== undefined) return told({ sent: false, error: fault }, ctx)
  try {
    await ctx.beforeEffect()
    return told(await withTimeLimit(kind.send({ settings, note, timeoutMs }, ctx), timeoutMs, `the channel kind ${name}`), ctx)
  } catch (error) {
    ctx.log.error('a notification could not be sent', { kind: name, err: error })
    return UNREACHED
  }
}

/** Channels belong to the operator: a tenant learns the outcome alone. */
function told(outcome: ChannelOutcome, { tenantId }: CallContext): ChannelOutcome {
  if (outcome.sent || tenantId === LOCAL_TENANT) return outcome
  return { ...outcome, error: 'The channel did not take it.' }
}
