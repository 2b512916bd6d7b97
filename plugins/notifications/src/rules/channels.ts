import type { Infer } from '@gateway/sdk'
import type { config } from '../config.ts'

type Config = Infer<(typeof config)['schema']>
export type Channel = Config['channels'][string]
export type Channels = Config['channels']

export const isEnabled = ({ enabled }: Channel): boolean => enabled !== false

/** The channels that take part when nobody names any. */
export const enabledChannels = (channels: Channels): string[] =>
  Object.entries(channels).flatMap(([name, channel]) => (isEnabled(channel) ? [name] : []))

/** Those that are chats. */
export const chatChannels = (channels: Channels): { readonly name: string; readonly enabled: boolean }[] =>
  Object.entries(channels).flatMap(([name, channel]) => (channel.kind === 'chat_channel' ? [{ name, enabled: isEnabled(channel) }] : []))

/** The channel a test goes to when none is named. */
export const firstChat = (channels: Channels): string | undefined => chatChannels(channels).find(({ enabled }) => enabled)?.name

/** The channel of a name; names come from callers, so what every object has is none. */
export const channelOf = (channels: Channels, name: string): Channel | undefined =>
  Object.hasOwn(channels, name) ? channels[name] : undefined
