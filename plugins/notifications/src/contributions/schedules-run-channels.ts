import { runChannels } from '@gateway/plugin-schedules/api'
import { contribute } from '@gateway/sdk'
import { send, sending } from '../operations/send.ts'
import { channelOf, isEnabled } from '../rules/channels.ts'

export const runResults = contribute(runChannels, {
  uses: sending,
  create: (refs, ctx) => ({
    has(name) {
      const channel = channelOf(refs.config.channels, name)
      return channel !== undefined && isEnabled(channel)
    },
    async deliver(name, { title, text, failed }) {
      const note = { level: failed ? ('warning' as const) : ('info' as const), title, message: text, source: 'schedules' }
      const { results } = await send(refs, { kind: 'message', note, channels: [name] }, ctx)
      const failures = results.filter(({ status }) => status === 'failed')
      for (const { channel, error } of failures) ctx.log.warn('a channel did not take the result of a schedule', { channel, error })
      if (failures.length === 0) return 'delivered'
      return failures.some(({ transient }) => transient) ? 'later' : 'refused'
    },
  }),
})
