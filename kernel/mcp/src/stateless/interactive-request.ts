import { hasAbility } from '../abilities.ts'
import type { Message } from '../jsonrpc.ts'
import type { Dispatch } from '../methods.ts'
import { CallAbort } from './call-abort.ts'
import type { Caller } from './caller.ts'
import { QuestionsOpen, StatelessClient } from './client.ts'
import { inputResponses, KnownAnswers, NONE } from './known-answers.ts'
import type { LiveTask } from './live-task.ts'
import type { RequestStream } from './request-stream.ts'
import type { Stamps } from './stamp.ts'
import type { Bound, StateSeal } from './state-seal.ts'
import type { Tasks } from './tasks.ts'

export interface InteractiveParts {
  readonly dispatch: Dispatch
  readonly stamps: Stamps
  readonly seal: StateSeal
  readonly tasks: Tasks
}

export interface InteractiveRequestInput {
  readonly message: Extract<Message, { kind: 'request' }>
  readonly capabilities: object
  readonly stream: RequestStream | undefined
  /** Lowest level to log, as an index into `logLevels`. */
  readonly threshold: number | undefined
}

/** Answers a method whose handler may ask its client or detach it: with a result, with questions, or with a task. */
export class InteractiveRequest {
  readonly #parts: InteractiveParts

  constructor(parts: InteractiveParts) {
    this.#parts = parts
  }

  async answer({ message, capabilities, stream, threshold }: InteractiveRequestInput, caller: Caller): Promise<string | Buffer> {
    const { dispatch, stamps, seal } = this.#parts
    const { id, method, params } = message
    const bound: Bound = { principal: caller.principal, method, params }
    const earlier = params.requestState === undefined ? NONE : seal.open(bound, params.requestState)
    const answers = new KnownAnswers(inputResponses(params), earlier)
    // Only a tool's call can be detached.
    const beginTask = method === 'tools/call' && hasAbility(capabilities, 'tasks') ? this.#detachable(caller, stream) : undefined
    const client = new StatelessClient({ capabilities, answers, stream, threshold, beginTask })
    caller.client = client
    try {
      const work = dispatch(method, params, caller)
      if (beginTask !== undefined && work instanceof Promise) {
        await Promise.race([client.detached(), work.catch(() => undefined)])
        if (client.task !== undefined) {
          void client.task.follow(work)
          return stamps.answer(id, 'task', client.task.beginning)
        }
      }
      return stamps.complete(id, method, await work)
    } catch (error) {
      if (!(error instanceof QuestionsOpen)) throw error
      const state = JSON.stringify(seal.seal(bound, error.answers))
      return stamps.answer(id, 'input_required', `{"inputRequests":${error.questions},"requestState":${state}}`)
    }
  }

  /** Makes the call outlive its request once it has become a task. */
  #detachable(caller: Caller, stream: RequestStream | undefined): () => Promise<LiveTask | undefined> {
    const abort = new CallAbort(caller.abort)
    caller.abort = abort
    return async () => {
      if (abort.isGone) return undefined
      const task = await this.#parts.tasks.begin(caller.principal, abort)
      // Nobody will learn of this task.
      if (abort.isGone) await task?.cancel('The client went away.')
      if (task === undefined) return undefined
      abort.detach()
      stream?.mute()
      return task
    }
  }
}
