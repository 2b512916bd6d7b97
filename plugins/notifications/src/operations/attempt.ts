import type { CallContext, Resolved } from '@gateway/sdk'
import { channelOf, enabledChannels, isEnabled } from '../rules/channels.ts'
import { merged, nextTry } from '../rules/next-try.ts'
import type { Notification } from '../schema.ts'
import { deliver, delivering } from './deliver.ts'
import { keepAttempt, keeping } from './keep.ts'

export const attempting = { ...delivering, ...keeping }
type Refs = Resolved<typeof attempting>

/** Sends an alert to the channels it has not reached: all of them at first, later those that may accept it now. */
export async function attempt(refs: Refs, alert: Notification, ctx: CallContext): Promise<void> {
  const { channels: all, alertAttempts } = refs.config
  const again = alert.results.filter(({ transient }) => transient).map(({ channel }) => channel)
  const exists = (name: string): boolean => {
    const channel = channelOf(all, name)
    return channel !== undefined && isEnabled(channel)
  }
  const channels = alert.results.length === 0 ? enabledChannels(all) : again.filter(exists)
  const tried = await deliver(refs, { note: alert, channels }, ctx)
  const results = merged(alert.results, tried)
  await keepAttempt(refs, alert, results, nextTry(tried, (alert.attempts ?? 0) + 1, alertAttempts))
}
