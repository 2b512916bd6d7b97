import type { InputRequest } from '@gateway/sdk'
import { checkAnswer, fits } from '../answers.ts'
import { isObject, nameOf, type Params } from '../jsonrpc.ts'
import { invalidParams } from './refusal.ts'
import type { Given } from './state-seal.ts'

/** Answers of a caller so far: with this request, and sealed in earlier rounds. */
export class KnownAnswers {
  readonly #given: Given
  readonly #earlier: Given
  #used: Record<string, unknown> | undefined

  constructor(given: Given, earlier: Given) {
    this.#given = given
    this.#earlier = earlier
  }

  /**
   * The answer under this key, if there is one. Throws BAD_REQUEST if the request brought an answer that does not fit this
   * question.
   */
  take(key: string, question: InputRequest): unknown {
    if (Object.hasOwn(this.#given, key)) {
      const answer = this.#given[key]
      checkAnswer(key, question, answer)
      this.#used = { ...this.#used, [key]: answer }
      return answer
    }
    // An answer to another question under this key does not count.
    return Object.hasOwn(this.#earlier, key) && fits(key, question, this.#earlier[key]) ? this.#earlier[key] : undefined
  }

  /** Answers that the next round needs. Answers that were not asked for are dropped. */
  get forNextRound(): Given {
    return { ...this.#earlier, ...this.#used }
  }
}

/** The answers that a request brings. Throws -32602. */
export function inputResponses({ inputResponses: given }: Params): Given {
  if (given === undefined) return NONE
  if (!isObject(given)) throw invalidParams(`inputResponses must be an object; got ${nameOf(given)}`)
  return given
}

export const NONE: Given = Object.freeze({})
