import { type Dearer, factorAsked, type ModelRelay, type RawAnswer, type RelayLimits, type WireName } from '@gateway/plugin-providers/api'
import type { Conversation } from '../rules/conversation.ts'
import { type Json, list, object } from '../rules/json.ts'
import type { ClientWire } from '../rules/wire-error.ts'
import { conversationOf, OWN, passedThrough, translated } from '../rules/wires.ts'
import type { ReadBody } from './read-body.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Headers of clients that a provider of the same wire receives. */
const PASSED = ['anthropic-beta', 'anthropic-version', 'openai-beta'] as const

/** A client's request as the providers see it, and the answer as it comes. */
export class RelayCall implements ModelRelay {
  readonly kind: 'chat' | 'embeddings'
  readonly streams: boolean
  readonly inputTokens: number
  delivered = false
  /** The answer in one piece, in the client's wire. */
  whole: string | undefined
  /** The model that is asked. */
  model = ''
  /** True while the provider that is asked speaks the client's wire. */
  same = false
  readonly #wire: ClientWire
  readonly #body: Json
  readonly #text: string
  readonly #headers: Headers
  readonly #send: (event: RawAnswer) => void
  readonly #assumed: Json
  readonly #keepsHour: boolean
  #conversation: Conversation | undefined

  /** `assumed` has members that a translation needs and the body may omit. */
  constructor(
    wire: ClientWire,
    { body, text, inputTokens, keepsHour }: Omit<ReadBody, 'bytes'>,
    headers: Headers,
    send: (event: RawAnswer) => void,
    assumed: Json = {},
  ) {
    this.#wire = wire
    this.#body = body
    this.#text = text
    this.#headers = headers
    this.#send = send
    this.#assumed = assumed
    this.#keepsHour = keepsHour
    this.kind = wire === 'embeddings' ? 'embeddings' : 'chat'
    this.streams = body.stream === true
    this.inputTokens = inputTokens
  }

  body(to: WireName, model: string, limits: RelayLimits): object | string {
    this.model = model
    this.same = OWN[this.#wire] === to
    if (this.same) return passedThrough(this.#wire, { body: this.#body, text: this.#text }, model)
    return translated(this.#wire, () => this.#read(), to, model, limits)
  }

  /** A translated body asks for the usual service, and for no cache. */
  dearer(to: WireName): Dearer {
    return OWN[this.#wire] === to ? { factor: factorAsked(this.#body), keepsHour: this.#keepsHour } : {}
  }

  headers(to: WireName): Readonly<Record<string, string>> {
    if (OWN[this.#wire] !== to) return {}
    return Object.fromEntries(PASSED.flatMap((name) => (typeof this.#headers[name] === 'string' ? [[name, this.#headers[name]]] : [])))
  }

  onRaw(answer: RawAnswer): void {
    if (!this.same) return
    if (answer.whole) this.whole = answer.data
    else if (!this.#isUnasked(answer.data)) this.#send(answer)
  }

  #read(): Conversation {
    this.#conversation ??= conversationOf(this.#wire as Exclude<ClientWire, 'embeddings'>, { ...this.#assumed, ...this.#body })
    return this.#conversation
  }

  /** The report of usage is for the gateway where the client has not asked for it. */
  #isUnasked(data: string): boolean {
    if (this.#wire !== 'chat' || object(this.#body.stream_options)?.include_usage === true || !data.includes('"usage"')) return false
    try {
      const chunk = object(JSON.parse(data))
      return object(chunk?.usage) !== undefined && list(chunk?.choices).length === 0
    } catch {
      return false
    }
  }
}
