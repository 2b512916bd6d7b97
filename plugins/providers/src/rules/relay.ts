import type { Dearer } from './usage.ts'

/** The wires that clients of the model endpoint may be served by. */
const WIRE_NAMES = ['openai', 'anthropic'] as const
export type WireName = (typeof WIRE_NAMES)[number]

/** A part of a provider's answer as it came. `whole`: an answer in one piece. */
export interface RawAnswer {
  readonly event?: string | undefined
  readonly data: string
  readonly whole: boolean
}

export interface RelayLimits {
  readonly limitField: 'max_tokens' | 'max_completion_tokens'
  /** The limit for a wire that demands one, where the client gives none. */
  readonly maxOutputTokens: number
}

/** A call whose body was written by a client of the gateway, and whose answer is passed on as it comes. */
export interface ModelRelay {
  readonly kind: 'chat' | 'embeddings'
  /** True if the client takes its answer in parts, so that its size is known while it comes. */
  readonly streams: boolean
  /** Estimate of the prompt. */
  readonly inputTokens: number
  /** Members of the body that make tokens more expensive for a provider of this wire. */
  dearer?(wire: WireName): Dearer
  /**
   * The body for a provider of this wire. Throws where the request cannot be expressed in it: such a provider is not asked, and the error
   * is the answer where no other has the model. The last call of it names the provider that is asked. A text is sent as it is.
   */
  body(wire: WireName, model: string, limits: RelayLimits): object | string
  /** Headers for a provider of this wire, beside its credential. */
  headers?(wire: WireName): Readonly<Record<string, string>>
  /** Receives the answer as it came, each part after it was understood. */
  onRaw?(answer: RawAnswer): void
  /** True once the client has received a part of an answer: no other provider is asked after that. */
  readonly delivered: boolean
}

/** The text of a body, which a client's own already is. */
export const bodyText = (body: object | string): string => (typeof body === 'string' ? body : JSON.stringify(body))

export interface ServedModel {
  readonly model: string
  readonly provider: string
  readonly tiers: readonly string[]
}
