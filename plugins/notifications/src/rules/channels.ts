import type { Infer } from '@gateway/sdk'
import type { config } from '../config.ts'

type Config = Infer<(typeof config)['schema']>
export type Channel = Config['channels'][string]
export type Channels = Config['channels']

export type ChatChannel = Extract<Channel, { readonly baseUrl: string }>
export type WebhookChannel = Extract<Channel, { readonly url: string }>
/** A channel whose kind another plugin contributes. */
export type OtherChannel = Exclude<Channel, ChatChannel | WebhookChannel>

export const isChat = (channel: Channel): channel is ChatChannel => channel.kind === 'chat_channel'
export const isWebhook = (channel: Channel): channel is WebhookChannel => channel.kind === 'webhook'

export const isEnabled = ({ enabled }: Channel): boolean => enabled !== false

/** Channels that are used if the caller names none. */
export const enabledChannels = (channels: Channels): string[] =>
  Object.entries(channels).flatMap(([name, channel]) => (isEnabled(channel) ? [name] : []))

export const chatChannels = (channels: Channels): { readonly name: string; readonly enabled: boolean }[] =>
  Object.entries(channels).flatMap(([name, channel]) => (isChat(channel) ? [{ name, enabled: isEnabled(channel) }] : []))

/** Channel of a test if none is named. */
export const firstChat = (channels: Channels): string | undefined => chatChannels(channels).find(({ enabled }) => enabled)?.name

/** The channel of a name; callers choose names, so inherited members of objects do not count. */
export const channelOf = (channels: Channels, name: string): Channel | undefined =>
  Object.hasOwn(channels, name) ? channels[name] : undefined
