import { type CallContext, defineContribution } from '@gateway/sdk'
import type { ComposedNote } from './schema.ts'

export type { ComposedNote } from './schema.ts'

/** Settings of one channel, below `settings` of its entry in `notifications.channels`. */
export type ChannelSettings = Readonly<Record<string, unknown>>

export interface ChannelDelivery {
  readonly settings: ChannelSettings
  readonly note: ComposedNote
  /** Time within which the channel has to take the note; the delivery fails then. */
  readonly timeoutMs: number
}

/** `transient`: the same may work later, so that an alert is sent again. `error` reaches the operator alone. */
export type ChannelOutcome = { readonly sent: true } | { readonly sent: false; readonly error: string; readonly transient?: boolean }

/** A kind of channel, such as e-mail, beside `chat_channel` and `webhook`. */
export interface ChannelKind {
  /** Value of `kind` in the settings of a channel. */
  readonly kind: string
  /** Returns what is wrong with a channel's settings, as a sentence that names the setting; undefined if they are valid. */
  settingsFault(settings: ChannelSettings): string | undefined
  /** Called with valid settings. An exception counts as an outage, and is logged. */
  send(delivery: ChannelDelivery, ctx: CallContext): Promise<ChannelOutcome>
}
export const channelKinds = defineContribution<ChannelKind>('notifications.channel-kind')
