import type { CallContext, Resolved } from '@gateway/sdk'
import type { ChannelResult, Note, Notification } from '../schema.ts'
import { pace } from '../services/pace.ts'
import { compose } from './compose.ts'
import { deliver, delivering } from './deliver.ts'
import { keeping, tryToKeep } from './keep.ts'

export const sending = { ...delivering, ...keeping, pace }
type Refs = Resolved<typeof sending>

interface Sending {
  readonly kind: Notification['kind']
  readonly note: Note
  readonly channels: readonly string[]
  readonly chatId?: string | undefined
  readonly evenDisabled?: boolean
}

export interface Sent {
  readonly results: ChannelResult[]
  readonly notificationId?: string
}

/** Sends a caller's notification and keeps it with its result. Never throws. */
export async function send(refs: Refs, { kind, note, channels, ...how }: Sending, ctx: CallContext): Promise<Sent> {
  const composed = compose(note, ctx)
  const mayGo = refs.pace.take(ctx.tenantId, 'message', ctx.now())
  const results = mayGo
    ? await deliver(refs, { note: composed, channels, ...how }, ctx)
    : channels.map((channel): ChannelResult => ({ channel, status: 'failed', error: tooMany(refs.config.perMinute), transient: true }))
  const kept = await tryToKeep(refs, { kind, ...composed, results }, ctx)
  return { results, ...(kept && { notificationId: kept.notificationId }) }
}

const tooMany = (perMinute: number): string => `The tenant has sent ${perMinute} notifications within this minute; try again in the next.`
