import { InputRequired, InternalError } from '@gateway/kernel'
import {
  type Answers,
  BadRequest,
  type Client,
  type ClientAbility,
  type InputRequest,
  type InputRequests,
  InputUnavailable,
  type LogLevel,
  logLevels,
  Unavailable,
} from '@gateway/sdk'
import { hasAbility } from '../abilities.ts'
import { INTERNAL, RpcError } from '../jsonrpc.ts'
import type { Refused } from '../methods.ts'
import type { KnownAnswers } from './known-answers.ts'
import type { LiveTask } from './live-task.ts'
import { questionsText } from './questions.ts'
import { invalidParams, missingCapability } from './refusal.ts'
import type { RequestStream } from './request-stream.ts'
import type { Given } from './state-seal.ts'

export interface ClientParts {
  readonly capabilities: object
  readonly answers: KnownAnswers
  readonly stream: RequestStream | undefined
  /** Lowest level to log, as an index into `logLevels`. */
  readonly threshold: number | undefined
  /** Makes the call a task; undefined if there is no room for one. Absent for calls that cannot become one. */
  readonly beginTask: (() => Promise<LiveTask | undefined>) | undefined
}

/** Thrown in place of a result: the client must answer questions and call again. */
export class QuestionsOpen extends Error {
  readonly questions: string
  readonly answers: Given
  constructor(questions: string, answers: Given) {
    super('the client is to answer first')
    this.questions = questions
    this.answers = answers
  }
}

/**
 * The client of one request. It cannot be asked while the request runs, so a question ends the request: the client receives the
 * handler's questions, calls again with the answers, and the handler runs from its beginning, this time past the question. A
 * detached call waits for its answers as a task instead.
 */
export class StatelessClient implements Client {
  readonly #parts: ClientParts
  // Created on demand: most calls ask nothing.
  #questions: Map<string, InputRequest> | undefined
  #lacking: Set<ClientAbility> | undefined
  #malformed = false
  #task: LiveTask | undefined
  #beginning: Promise<void> | undefined
  #resolveDetached: (() => void) | undefined

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  get task(): LiveTask | undefined {
    return this.#task
  }

  /** Resolves when the call has become a task. */
  detached(): Promise<void> {
    return new Promise((resolve) => (this.#resolveDetached = resolve))
  }

  can(ability: ClientAbility): boolean {
    return hasAbility(this.#parts.capabilities, ability) && (ability !== 'tasks' || this.#parts.beginTask !== undefined)
  }

  async ask<const R extends InputRequests>(requests: R): Promise<Answers<R>> {
    const wanted = Object.entries(requests)
    this.#require(wanted.map(([, { needs }]) => needs))
    const answers: Record<string, unknown> = {}
    const unknown: Record<string, InputRequest> = {}
    for (const [key, request] of wanted) {
      answers[key] = this.#known(key, request)
      if (answers[key] === undefined) unknown[key] = request
    }
    if (Object.keys(unknown).length > 0) Object.assign(answers, await this.#learn(unknown))
    return answers as Answers<R>
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const { threshold, stream } = this.#parts
    if (threshold === undefined || logLevels.indexOf(level) < threshold) return
    stream?.notify({ method: 'notifications/message', params: { level, logger, data: data ?? null } })
  }

  async detach({ required = false }: { readonly required?: boolean } = {}): Promise<void> {
    if (!this.can('tasks')) {
      if (required) this.#require(['tasks'])
      return
    }
    await (this.#beginning ??= this.#begin())
    if (required && this.#task === undefined) {
      throw Unavailable({ message: 'The gateway has reached its maximum of running tasks; try again when some have ended.' })
    }
  }

  /** Receives a refusal before it is answered. Throws if this protocol has its own answer. */
  refused({ error }: Refused): void {
    switch (error.code) {
      case InputRequired.code:
        if (this.#questions !== undefined) throw new QuestionsOpen(questionsText(this.#questions), this.#parts.answers.forNextRound)
        return
      case InputUnavailable.code:
        if (this.#lacking !== undefined) throw missingCapability(this.#lacking)
        return
      case BadRequest.code:
        if (this.#malformed) throw invalidParams(error.error)
        return
      case InternalError.code:
        // A task distinguishes faults of the gateway from the tool's own refusals.
        if (this.#task !== undefined) throw new RpcError(INTERNAL, error.error, error)
    }
  }

  #require(abilities: readonly ClientAbility[]): void {
    const lacking = abilities.filter((ability) => !this.can(ability))
    if (lacking[0] === undefined) return
    for (const ability of lacking) {
      // An ability that the client has and the method cannot use is not missing from the client.
      if (!hasAbility(this.#parts.capabilities, ability)) (this.#lacking ??= new Set()).add(ability)
    }
    throw InputUnavailable({ ability: lacking[0] })
  }

  #known(key: string, request: InputRequest): unknown {
    try {
      return this.#parts.answers.take(key, request)
    } catch (error) {
      this.#malformed = true
      throw error
    }
  }

  async #learn(questions: InputRequests): Promise<Readonly<Record<string, unknown>>> {
    if (this.#task !== undefined) return await this.#task.ask(questions)
    this.#questions ??= new Map()
    for (const [key, question] of Object.entries(questions)) this.#questions.set(key, question)
    throw InputRequired({})
  }

  async #begin(): Promise<void> {
    this.#task = await this.#parts.beginTask?.()
    if (this.#task !== undefined) this.#resolveDetached?.()
  }
}
