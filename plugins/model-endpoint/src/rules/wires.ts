import type { RelayLimits, WireName } from '@gateway/plugin-providers/api'
import { type Conversation, joined } from './conversation.ts'
import type { Json } from './json.ts'
import { flag, integer, object, refuse, requireObject } from './json.ts'
import { placesOf, withMembers } from './places.ts'
import { readChat } from './read-chat.ts'
import { readMessages } from './read-messages.ts'
import { readResponses } from './read-responses.ts'
import { renderChat } from './render-chat.ts'
import { renderMessages } from './render-messages.ts'
import { renderResponses } from './render-responses.ts'
import type { Answer, Renderer } from './renderer.ts'
import { toolsOf } from './tools-of-responses.ts'
import type { ClientWire } from './wire-error.ts'
import { writeChat } from './write-chat.ts'
import { writeMessages } from './write-messages.ts'

/** The wire of providers to which bodies of a client's wire are passed as they are. */
export const OWN: Readonly<Record<ClientWire, WireName | undefined>> = {
  chat: 'openai',
  embeddings: 'openai',
  messages: 'anthropic',
  responses: undefined,
}
const READERS = { chat: readChat, messages: readMessages, responses: readResponses } as const

/**
 * The client's own text for a provider of the same wire, with the name of its model; a stream must report its usage. Numbers and their order
 * stay as the client wrote them, except in a body that has a member twice: the provider receives the one that the gateway has read.
 */
export function passedThrough(
  wire: ClientWire,
  { body, text }: { readonly body: Json; readonly text: string },
  model: string,
): object | string {
  const options = object(body.stream_options)
  const isCounted = wire !== 'chat' || body.stream !== true || options?.include_usage === true
  const set = isCounted ? { model } : { model, stream_options: { ...options, include_usage: true } }
  const places = placesOf(text)
  return places ? withMembers(text, places, set) : { ...body, ...set }
}

/** The body in the other wire. Throws BAD_REQUEST that names what cannot be translated. */
export function translated(
  wire: ClientWire,
  conversation: () => Conversation,
  to: WireName,
  model: string,
  { limitField, maxOutputTokens }: RelayLimits,
): object {
  if (wire === 'embeddings') return refuse('model', 'is of a provider whose wire has no embeddings.')
  return to === 'openai' ? writeChat(conversation(), model, limitField) : writeMessages(conversation(), model, maxOutputTokens)
}

/** The conversation of a body that must be translated. Throws BAD_REQUEST that names what is wrong or has no equivalent. */
export function conversationOf(wire: Exclude<ClientWire, 'embeddings'>, body: Json): Conversation {
  const conversation = READERS[wire](body)
  const { turns, tools, toolChoice } = conversation
  if (joined(turns).length === 0) refuse(wire === 'responses' ? 'input' : 'messages', 'must say something beside instructions.')
  if (tools.length === 0 && (toolChoice === 'required' || typeof toolChoice === 'object')) refuse('tool_choice', 'needs `tools`.')
  return conversation
}

/** Refuses members that decide how the answer is sent unless they are what the wire says: servers read other values differently. */
export function checkStream(wire: ClientWire, body: Json): void {
  const streams = flag(body, 'stream')
  if (wire === 'embeddings' && streams === true) refuse('stream', 'must be false: embeddings are answered in one piece.')
  if (wire !== 'chat' || (body.stream_options ?? null) === null) return
  flag(requireObject(body.stream_options, 'stream_options'), 'include_usage', 'stream_options.')
}

export function rendererFor(wire: ClientWire, answer: Answer, body: Json): Renderer {
  if (wire === 'messages') return renderMessages(answer)
  if (wire === 'responses') return renderResponses(answer, toolsOf(body.tools))
  return renderChat(answer, object(body.stream_options)?.include_usage === true)
}

/** More tokens than any model gives in one call. */
const MAX_LIMIT = 10_000_000
const MAX_CHOICES = 1_000
const LIMITS = ['max_completion_tokens', 'max_output_tokens', 'max_tokens'] as const

/**
 * The most tokens of an answer, of all its choices. A server may know only the greatest of several limits, so that one counts. A limit that
 * is not a number of tokens is refused, also for a provider of the same wire: servers read it differently, some as no limit at all.
 */
export function limitOf(wire: ClientWire, body: Json): number | undefined {
  // Messages without an answer fill the cache of a prompt.
  const bounds = { least: wire === 'messages' ? 0 : 1, most: MAX_LIMIT }
  const limits = LIMITS.map((name) => integer(body, name, bounds)).filter((limit) => limit !== undefined)
  const choices = integer(body, 'n', { least: 1, most: MAX_CHOICES }) ?? 1
  return limits.length === 0 ? undefined : Math.min(MAX_LIMIT, Math.max(...limits) * choices)
}

const ENDS: Readonly<Partial<Record<ClientWire, RegExp>>> = { chat: /^\[DONE\]$/, messages: /^\{\s*"type":\s*"message_stop"/ }

export const isEnd = (wire: ClientWire, { event, data }: { readonly event?: string | undefined; readonly data: string }): boolean =>
  (wire === 'messages' && event === 'message_stop') || ENDS[wire]?.test(data) === true
