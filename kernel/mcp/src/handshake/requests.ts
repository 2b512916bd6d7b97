import type { Gateway } from '@gateway/kernel'
import { errorMessage, type Id, INTERNAL, type Message, RpcError, resultMessage } from '../jsonrpc.ts'
import type { Dispatch } from '../methods.ts'
import type { Operations } from '../operations.ts'
import { isRefusal } from '../tools.ts'
import type { CallClient } from './call-client.ts'
import { CANCELLED } from './client-message-router.ts'
import type { Exchange } from './exchange.ts'
import type { PersistentSessions } from './persistent-sessions.ts'
import type { Session } from './session.ts'
import { type SessionMethod, sessionMethods } from './session-methods.ts'

/** Answers requests: those that change their session here, all others through the dispatcher. */
export class Requests {
  readonly #gateway: Gateway
  readonly #dispatch: Dispatch
  readonly #operations: Operations
  readonly #sessionMethods: ReadonlyMap<string, SessionMethod>

  constructor(gateway: Gateway, dispatch: Dispatch, operations: Operations, sessions: PersistentSessions) {
    this.#gateway = gateway
    this.#dispatch = dispatch
    this.#operations = operations
    this.#sessionMethods = sessionMethods(gateway, sessions)
  }

  /** The whole answer, or undefined if the client cancelled and nothing more may be sent. */
  async answer(
    { id, method, params }: Extract<Message, { kind: 'request' }>,
    { principal, requestId, view }: Exchange,
    session: Session | undefined,
    client: CallClient,
  ): Promise<string | Buffer | undefined> {
    const { abort } = client
    const since = performance.now()
    try {
      const setting = this.#sessionMethods.get(method)
      if (setting !== undefined) {
        await setting(params, session)
        this.#operations.answered(method, since)
        return resultMessage(id, '{}')
      }
      session?.running.set(id, client)
      const result = await this.#dispatch(method, params, {
        principal,
        requestId,
        view,
        abort,
        client,
        clientName: session?.agreed.clientName,
        progress: client.reporter(params),
      })
      this.#operations.answered(method, since, isRefusal(result))
      return abort.reason === CANCELLED ? undefined : resultMessage(id, result)
    } catch (error) {
      this.#operations.failed(method, since, error)
      return abort.reason === CANCELLED ? undefined : this.failure(id, error, method, requestId)
    } finally {
      if (session?.running.get(id) === client) session.running.delete(id)
    }
  }

  failure(id: Id, error: unknown, method: string, requestId: string): string {
    if (error instanceof RpcError) return errorMessage(id, error)
    this.#gateway.log.error({ err: error, method, requestId }, 'an MCP method failed')
    return errorMessage(id, new RpcError(INTERNAL, 'Internal error', { requestId }))
  }
}
