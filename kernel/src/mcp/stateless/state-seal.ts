import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Principal } from '@gateway/sdk'
import type { Clock } from '../../clock.ts'
import { argumentsDigest } from '../../registry/digest.ts'
import { nameOf, type Params } from '../jsonrpc.ts'
import { invalidParams } from './refusal.ts'

/** Long enough for a person to fill in a form, short enough that a state which leaked is soon worth nothing. */
const VALID_MS = 15 * 60_000
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Answers by key, as a client gave them. */
export type Given = Readonly<Record<string, unknown>>

/** The request a state belongs to. */
export interface Bound {
  readonly principal: Principal
  readonly method: string
  readonly params: Params
}

/**
 * What a caller said in earlier rounds travels through its client, sealed:
 *
 * 1. encrypted and authenticated, so that it can be neither read nor changed;
 * 2. bound to the caller, its tenant, the method and what is asked for: taken elsewhere, it does not open;
 * 3. good for fifteen minutes.
 *
 * It says only what the caller answered, so using it twice is no more than making the call twice.
 */
export class StateSeal {
  readonly #key: Buffer
  readonly #clock: Clock

  /** Processes that share the key understand each other’s states. */
  constructor(key: Buffer, clock: Clock) {
    this.#key = key
    this.#clock = clock
  }

  /** Different each time, whatever is in it. */
  seal(bound: Bound, answers: Given): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, iv, { authTagLength: TAG_BYTES }).setAAD(binding(bound))
    const sealed = cipher.update(JSON.stringify({ until: this.#clock.now() + VALID_MS, answers }), 'utf8')
    return Buffer.concat([iv, sealed, cipher.final(), cipher.getAuthTag()]).toString('base64url')
  }

  /** Throws -32602, always with the same words: whoever tries states out learns nothing. */
  open(bound: Bound, text: unknown): Given {
    if (typeof text !== 'string') throw invalidParams(`requestState must be a string; got ${nameOf(text)}`)
    const { until, answers } = this.#opened(bound, text) ?? {}
    if (until === undefined || answers === undefined || until <= this.#clock.now()) {
      throw invalidParams('requestState is not one of this gateway for this request, or has expired; make the call anew')
    }
    return answers
  }

  #opened(bound: Bound, text: string): { readonly until: number; readonly answers: Given } | undefined {
    const bytes = Buffer.from(text, 'base64url')
    // The decoder leaves out what it does not know; a changed state must not open, not even one changed to no effect.
    if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(binding(bound))
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
      return JSON.parse(plain.toString('utf8')) as { until: number; answers: Given }
    } catch {
      return undefined
    }
  }
}

/** Arguments left out, and `null` as some clients send it, are the same call. */
function binding({ principal, method, params: { name, uri, arguments: args } }: Bound): Buffer {
  const digest = argumentsDigest({ name, uri, arguments: args ?? {} })
  return Buffer.from(JSON.stringify([principal.tenantId, principal.id, method, digest]))
}
