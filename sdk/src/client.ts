import type { ContentBlock } from './content.ts'

/** The levels of RFC 5424, least first. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
/** Severity of a message to the client, least first. */
export type LogLevel = (typeof logLevels)[number]

/** Abilities that a caller's client may have. `tasks`: it can fetch the answer later, by polling the progress. */
export type ClientAbility = 'elicitation' | 'elicitation.url' | 'sampling' | 'sampling.tools' | 'roots' | 'tasks'

/** A question to the person or the model behind the caller; see `elicit`, `elicitUrl`, `sample` and `listRoots`. */
export interface InputRequest<Answer = unknown> {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params: Readonly<Record<string, unknown>>
  readonly needs: ClientAbility
  /** Phantom carrier of the answer's type; never read at run time. */
  readonly $answer?: Answer
}
/** Questions to the client, by keys of your choice. */
export type InputRequests = Readonly<Record<string, InputRequest>>
/** Answers, by the same keys. */
export type Answers<R extends InputRequests> = { readonly [K in keyof R]: R[K] extends InputRequest<infer A> ? A : never }

/** Answer of the person; `content` is present only if they accepted. */
export type ElicitAnswer<Content = Readonly<Record<string, string | number | boolean | readonly string[]>>> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel'; readonly content?: undefined }
/** A message of a conversation with the client's model. */
export interface SampleMessage {
  readonly role: 'user' | 'assistant'
  readonly content: unknown
}
/** Answer of the client's model. */
export interface SampleAnswer extends SampleMessage {
  readonly model: string
  readonly stopReason?: string
}
/** Folders that the client works in. */
export interface RootsAnswer {
  readonly roots: readonly { readonly uri: string; readonly name?: string }[]
}

/** JSON Schema of a flat object of strings, numbers, booleans and choices, which a client can turn into a form. */
export interface FormSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

/** Asks the person behind the caller to fill in a form. Never use it for secrets; use `elicitUrl`. */
export function elicit<Content = Readonly<Record<string, string | number | boolean | readonly string[]>>>(
  message: string,
  requestedSchema: FormSchema,
): InputRequest<ElicitAnswer<Content>> {
  return { method: 'elicitation/create', needs: 'elicitation', params: { mode: 'form', message, requestedSchema } }
}

/** Asks the person behind the caller to visit a page. `accept` means that they agreed, not that they are done. */
export function elicitUrl(message: string, url: string): InputRequest<ElicitAnswer> {
  return { method: 'elicitation/create', needs: 'elicitation.url', params: { mode: 'url', message, url } }
}

/** Asks the model behind the caller. */
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

/** Asks the client for the folders it works in. */
export function listRoots(): InputRequest<RootsAnswer> {
  return { method: 'roots/list', needs: 'roots', params: {} }
}

/**
 * The program that the caller runs in, as far as this call's protocol reaches it. Over REST, in jobs and in events it can do
 * nothing.
 */
export interface Client {
  /** Id of the caller's MCP session. Absent over REST, and for clients that keep no session. */
  readonly session?: string | undefined
  can(ability: ClientAbility): boolean
  /**
   * Asks the client and continues with the answers, one per key. Throws INPUT_UNAVAILABLE if the client cannot answer.
   *
   * Ask before you change anything, and keep the key of each question stable. Some clients receive the questions as the answer
   * and call again with what they know. The handler then runs again from its beginning, and `ask` returns at once.
   */
  ask<const R extends InputRequests>(requests: R): Promise<Answers<R>>
  /** Sends a log message to the caller's client, if it asked for this level. `data` is any JSON. */
  log(level: LogLevel, data: unknown, logger?: string): void
  /**
   * Detaches the caller while the work continues; the caller fetches the answer later. If the client cannot do that, it keeps
   * waiting and this does nothing, or throws INPUT_UNAVAILABLE with `required`. `ask` works afterwards too.
   */
  detach(options?: { readonly required?: boolean }): Promise<void>
}
