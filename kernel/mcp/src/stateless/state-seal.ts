import { type Clock, openSealed, sealText } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import { argumentsDigest } from '@gateway/validation'
import { nameOf, type Params } from '../jsonrpc.ts'
import { invalidParams } from './refusal.ts'

/** Long enough for a person to fill in a form, short enough that a leaked state soon becomes useless. */
const VALID_MS = 15 * 60_000

/** Answers by key, as a client gave them. */
export type Given = Readonly<Record<string, unknown>>

export interface Bound {
  readonly principal: Principal
  readonly method: string
  readonly params: Params
}

/**
 * A caller's answers from earlier rounds travel through its client, sealed:
 *
 * 1. Encrypted and authenticated, so that they can be neither read nor changed.
 * 2. Bound to the caller, its tenant, the method and the question: elsewhere it does not open.
 * 3. Valid for fifteen minutes.
 *
 * It contains only the caller's answers, so using it twice is the same as making the call twice.
 */
export class StateSeal {
  readonly #key: Buffer
  readonly #clock: Clock

  /** Processes that share the key understand each other's states. */
  constructor(key: Buffer, clock: Clock) {
    this.#key = key
    this.#clock = clock
  }

  /** Different each time, whatever it contains. */
  seal(bound: Bound, answers: Given): string {
    return sealText(this.#key, JSON.stringify({ until: this.#clock.now() + VALID_MS, answers }), binding(bound))
  }

  /** Throws -32602, always with the same words, so that trying states reveals nothing. */
  open(bound: Bound, text: unknown): Given {
    if (typeof text !== 'string') throw invalidParams(`requestState must be a string; got ${nameOf(text)}`)
    const opened = openSealed(this.#key, text, binding(bound))
    const { until, answers } = opened === undefined ? {} : (JSON.parse(opened) as { readonly until?: number; readonly answers?: Given })
    if (until === undefined || answers === undefined || until <= this.#clock.now()) {
      throw invalidParams('requestState is not one of this gateway for this request, or has expired; make the call again')
    }
    return answers
  }
}

/** Omitted arguments, and `null` as some clients send it, are the same call. */
function binding({ principal, method, params: { name, uri, arguments: args } }: Bound): string {
  const digest = argumentsDigest({ name, uri, arguments: args ?? {} })
  return JSON.stringify([principal.tenantId, principal.id, method, digest])
}
