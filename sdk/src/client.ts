import type { ContentBlock } from './content.ts'

/** The levels of RFC 5424, least first. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
/** How grave a message to the client is, the least first. */
export type LogLevel = (typeof logLevels)[number]

/**
 * What a caller’s client may be able to do. `tasks`: take an answer later, by asking how far the work is.
 */
export type ClientAbility = 'elicitation' | 'elicitation.url' | 'sampling' | 'sampling.tools' | 'roots' | 'tasks'

/** A question to the person or the model behind the caller; see `elicit`, `elicitUrl`, `sample` and `listRoots`. */
export interface InputRequest<Answer = unknown> {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params: Readonly<Record<string, unknown>>
  readonly needs: ClientAbility
  /** Phantom carrier of the answer’s type; never read at run time. */
  readonly $answer?: Answer
}
/** What to ask the client, by a key of one’s own. */
export type InputRequests = Readonly<Record<string, InputRequest>>
/** What came back, by the same keys. */
export type Answers<R extends InputRequests> = { readonly [K in keyof R]: R[K] extends InputRequest<infer A> ? A : never }

/** What the person answered; `content` only when they accepted. */
export type ElicitAnswer<Content = Readonly<Record<string, string | number | boolean | readonly string[]>>> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel'; readonly content?: undefined }
/** One message of a conversation with the client’s model. */
export interface SampleMessage {
  readonly role: 'user' | 'assistant'
  readonly content: unknown
}
/** What the client’s model answered. */
export interface SampleAnswer extends SampleMessage {
  readonly model: string
  readonly stopReason?: string
}
/** The folders the client works in. */
export interface RootsAnswer {
  readonly roots: readonly { readonly uri: string; readonly name?: string }[]
}

/** A flat object of strings, numbers, booleans and choices, as JSON Schema: what a client can make a form of. */
export interface FormSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

/** Ask the person behind the caller to fill in a form. Never for secrets: those take `elicitUrl`. */
export function elicit<Content = Readonly<Record<string, string | number | boolean | readonly string[]>>>(
  message: string,
  requestedSchema: FormSchema,
): InputRequest<ElicitAnswer<Content>> {
  return { method: 'elicitation/create', needs: 'elicitation', params: { mode: 'form', message, requestedSchema } }
}

/** Ask the person behind the caller to visit a page. `accept` means that they agreed to, not that they are done. */
export function elicitUrl(message: string, url: string): InputRequest<ElicitAnswer> {
  return { method: 'elicitation/create', needs: 'elicitation.url', params: { mode: 'url', message, url } }
}

/** Ask the model behind the caller. */
export function sample(params: {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: ContentBlock | readonly object[] }[]
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  readonly tools?: readonly object[]
  readonly [more: string]: unknown
}): InputRequest<SampleAnswer> {
  return { method: 'sampling/createMessage', needs: params.tools ? 'sampling.tools' : 'sampling', params }
}

/** Ask the client for the folders it works in. */
export function listRoots(): InputRequest<RootsAnswer> {
  return { method: 'roots/list', needs: 'roots', params: {} }
}

/** The program an agent sits in, as far as the protocol of this call reaches it. Over REST, in jobs and in events it can do nothing. */
export interface Client {
  can(ability: ClientAbility): boolean
  /**
   * Ask, and go on with the answers, one per key. Throws INPUT_UNAVAILABLE when the client cannot answer.
   *
   * Ask before you change anything, each question under a key of its own that stays the same: some clients are answered with
   * the questions, and call again with what they know. The handler then runs once more from its beginning, and `ask` returns
   * at once.
   */
  ask<const R extends InputRequests>(requests: R): Promise<Answers<R>>
  /** A log message for who watches the caller’s client, if it asked for messages of this level. `data` is any JSON. */
  log(level: LogLevel, data: unknown, logger?: string): void
  /**
   * Let the caller go while the work goes on: it comes back for the answer. Where the client cannot, it waits on and
   * this does nothing, or with `required` throws INPUT_UNAVAILABLE. `ask` works after it, too.
   */
  detach(options?: { readonly required?: boolean }): Promise<void>
}
