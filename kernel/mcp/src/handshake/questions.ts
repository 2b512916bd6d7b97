import { type Answers, BadRequest, cutText, type InputRequests, Unavailable } from '@gateway/sdk'
import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { checkAnswer } from '../answers.ts'
import { isObject, type Response } from '../jsonrpc.ts'
import { notificationMessage } from '../notification.ts'
import { questionParams } from './question-params.ts'

/** Time for a person to fill in a form; after it the question is given up. */
const ANSWER_WITHIN_MS = 600_000

export interface Line {
  readonly say: (message: string) => void
  readonly signal: AbortSignal
}

interface Open {
  readonly deadline: number
  deliver(response: Response): void
  fail(why: Error): void
}

/** Questions of a session's calls to its client: requests in the other direction, with the gateway's own ids. */
export class Questions {
  readonly #version: string
  readonly #now: () => number
  readonly #prefix: string
  /** Oldest first. */
  readonly #open = new Map<unknown, Open>()
  #asked = 0

  /** Ids of questions begin with `prefix`. */
  constructor(version: string, now: () => number, prefix = 'q') {
    this.#version = version
    this.#now = now
    this.#prefix = prefix
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * Asks everything at once and resolves with the answers by key. Rejects with a declared error if an answer is refused,
   * invalid or late, or if the call is stopped; the client is then told to stop asking its user.
   */
  ask<const R extends InputRequests>(requests: R, { say, signal }: Line): Promise<Answers<R>> {
    const answers: Record<string, unknown> = {}
    const waiting = new Set<string>()
    return new Promise((resolve, reject) => {
      const stopped = (): void =>
        fail(Unavailable({ message: `The call no longer waits for the answer: ${(signal.reason as Error).message}.` }))
      const close = (id: string): void => {
        waiting.delete(id)
        this.#open.delete(id)
      }
      const fail = (why: Error): void => {
        for (const id of waiting) {
          close(id)
          say(notificationMessage({ method: 'notifications/cancelled', params: { requestId: id, reason: why.message } }))
        }
        signal.removeEventListener('abort', stopped)
        reject(why)
      }
      const settle = (): void => {
        if (waiting.size > 0) return
        signal.removeEventListener('abort', stopped)
        resolve(answers as Answers<R>)
      }
      if (signal.aborted) return stopped()
      signal.addEventListener('abort', stopped, { once: true })
      const deadline = this.#now() + ANSWER_WITHIN_MS
      for (const [key, request] of Object.entries(requests)) {
        const id = `${this.#prefix}${++this.#asked}`
        waiting.add(id)
        const deliver = (response: Response): void => {
          close(id)
          try {
            answers[key] = answerOf(key, response)
            checkAnswer(key, request, answers[key])
          } catch (error) {
            return fail(error as Error)
          }
          settle()
        }
        this.#open.set(id, { deadline, deliver, fail })
        const params = questionParams(request, this.#version)
        say(JSON.stringify({ jsonrpc: '2.0', id, method: request.method, params } satisfies JSONRPCRequest))
      }
      settle()
    })
  }

  /** Accepts a response of the session's client. False for one to a question that nobody waits for here. */
  deliver(response: Response): boolean {
    const open = this.#open.get(response.id)
    open?.deliver(response)
    return open !== undefined
  }

  failOverdue(): void {
    const now = this.#now()
    for (const { deadline, fail } of this.#open.values()) {
      if (deadline > now) return
      fail(Unavailable({ message: `The client did not answer within ${ANSWER_WITHIN_MS / 60_000} minutes.` }))
    }
  }

  failAll(why: string): void {
    for (const { fail } of this.#open.values()) fail(Unavailable({ message: why }))
  }
}

function answerOf(key: string, { result, error }: Response): unknown {
  if (error === undefined) return result
  const { message, code } = isObject(error) ? error : {}
  const said = `${cutText(String(message), 200)} (${String(code)})`
  throw BadRequest({ field: key, message: `The client refused to answer \`${key}\`: ${said}.` })
}
