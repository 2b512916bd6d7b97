import { type Gateway, InternalError, keyFor } from '@gateway/kernel'
import { isToolError } from '@gateway/sdk'
import { hasAbility } from '../abilities.ts'
import { requireStreams } from '../accept.ts'
import { clientNameOf } from '../client-name.ts'
import type { EventStream, OpenStream } from '../event-stream.ts'
import type { Answer } from '../handshake/exchange.ts'
import {
  errorMessage,
  INTERNAL,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isObject,
  METHOD_NOT_FOUND,
  type Message,
  RESOURCE_NOT_FOUND,
  RpcError,
  readMessage,
  SERVER_ERROR,
} from '../jsonrpc.ts'
import type { KeepAlive } from '../keep-alive.ts'
import type { LiveStreams } from '../live-streams.ts'
import type { McpRequest } from '../mcp-request.ts'
import type { Dispatch, Methods } from '../methods.ts'
import type { Operations } from '../operations.ts'
import { progressReporter, progressToken } from '../progress.ts'
import { Caller } from './caller.ts'
import { discover } from './discover.ts'
import { checkRouting, checkVersion } from './headers.ts'
import { InteractiveRequest } from './interactive-request.ts'
import { Listeners } from './listeners.ts'
import { type MethodFacts, methods } from './methods.ts'
import { checkParamHeaders, type ParamHeader, paramHeaders } from './param-headers.ts'
import { CLIENT_INFO } from './protocol.ts'
import { methodNotFound, missingCapability, REFUSED, Refusal } from './refusal.ts'
import { logThreshold, type RequestMeta, readMeta } from './request-meta.ts'
import { RequestStream } from './request-stream.ts'
import { Stamps } from './stamp.ts'
import { StateSeal } from './state-seal.ts'
import { taskMethods } from './task-methods.ts'
import { Tasks } from './tasks.ts'

type Request = Extract<Message, { kind: 'request' }>

interface Checked {
  readonly meta: RequestMeta
  readonly facts: MethodFacts
}

/**
 * The stateless protocol, revision 2026-07-28. Every request is self-contained:
 *
 * 1. Its `_meta` has version, capabilities and log level; its headers repeat the version, the method and its subject.
 * 2. Contradictions are refused before anything is looked up, in the order that the protocol wants.
 * 3. The dispatcher answers, and the result is stamped with its type and its cache lifetime.
 * 4. A handler that asks ends the request with its questions; one that detaches its caller turns it into a task.
 * 5. A client that disconnects cancels its request.
 */
export class Stateless {
  readonly #gateway: Gateway
  readonly #dispatch: Dispatch
  readonly #live: LiveStreams
  readonly #operations: Operations
  readonly #stamps: Stamps
  readonly #listeners: Listeners
  readonly #tasks: Tasks
  readonly #interactive: InteractiveRequest
  /** Methods that only this protocol has. */
  readonly #own: Methods
  /** By tool; most have none. */
  readonly #paramHeaders = new Map<string, readonly ParamHeader[]>()

  constructor(
    gateway: Gateway,
    dispatch: Dispatch,
    { keepAlive, live, operations }: { keepAlive: KeepAlive; live: LiveStreams; operations: Operations },
  ) {
    this.#gateway = gateway
    this.#live = live
    this.#operations = operations
    this.#dispatch = dispatch
    this.#stamps = new Stamps(gateway.version)
    this.#listeners = new Listeners(gateway, keepAlive)
    this.#tasks = new Tasks(gateway, (record, tenantId) => this.#listeners.taskChanged(record, tenantId))
    const seal = new StateSeal(keyFor(gateway.settings, 'mcp request state'), gateway.clock)
    this.#interactive = new InteractiveRequest({ dispatch, seal, stamps: this.#stamps, tasks: this.#tasks })
    this.#own = { 'server/discover': (_params, { principal, view }) => discover(gateway, principal, view), ...taskMethods(this.#tasks) }
    gateway.onTenantBlocked((tenantId) => {
      this.#listeners.endTenant(tenantId)
      this.#tasks.endTenant(tenantId)
    })
  }

  /** Undefined if the answer was sent as an event stream. `openStream` is present if the client accepts one. */
  post(request: McpRequest, openStream: OpenStream | undefined): Promise<Answer | undefined> | Answer {
    const message = readMessage(request.body)
    switch (message.kind) {
      case 'request':
        return this.#answer(message, request, openStream)
      case 'notification':
        // The protocol has no responses to servers over HTTP; a client that sends one does no harm.
        return { status: 202 }
      case 'response':
        return refused('the gateway sends no requests, so there is nothing to respond to')
      case 'invalid':
        return { status: 400, body: errorMessage(message.id ?? undefined, message.error) }
    }
  }

  get listening(): number {
    return this.#listeners.size
  }

  /** Refuses a batch that contains a message of this protocol. */
  refuseBatch(): Answer {
    return refused('this protocol version has no batches; send one message per POST')
  }

  /** Ends what would otherwise stay open, and lets tasks end within the time of a stop. */
  async close(): Promise<void> {
    this.#listeners.close()
    await this.#tasks.close(this.#gateway.settings.stopTimeoutMs)
  }

  async #answer(message: Request, request: McpRequest, openStream: OpenStream | undefined): Promise<Answer | undefined> {
    const since = performance.now()
    let stream: RequestStream | undefined
    try {
      const checked = this.#checked(message, request)
      if (message.method === 'subscriptions/listen') return await this.#listen(message, request, checked.meta)
      const token = progressToken(message.params)
      const threshold = logThreshold(checked.meta)
      if (openStream !== undefined && (token !== undefined || threshold !== undefined)) {
        stream = new RequestStream(() => this.#opened(openStream, request))
      }
      const report = token === undefined ? undefined : stream && progressReporter(token, (notification) => stream?.notify(notification))
      const caller = new Caller(request, report, clientNameOf(checked.meta.all[CLIENT_INFO]))
      const { capabilities } = checked.meta
      const result = await (checked.facts.asks
        ? this.#interactive.answer({ message, capabilities, stream, threshold }, caller)
        : this.#result(message, caller))
      this.#operations.answered(message.method, since, caller.wasRefused)
      return sent(stream, 200, result)
    } catch (error) {
      this.#operations.failed(message.method, since, error)
      // A refusal of the transport, which knows how to answer it.
      if (isToolError(error)) throw error
      const failure = this.#failure(error, message.method, request.requestId)
      return sent(stream, failure instanceof Refusal ? failure.status : 200, errorMessage(message.id, failure))
    }
  }

  /**
   * Checks everything that the protocol requires of a request before it is processed; the order decides which error a client
   * sees.
   */
  #checked({ method, params }: Request, { headers }: McpRequest): Checked {
    const meta = readMeta(params)
    checkVersion(headers, meta.version)
    const facts = methods.get(method)
    checkRouting(headers, method, facts, params)
    if (facts === undefined) throw methodNotFound(method)
    if (facts.ofTasks && !hasAbility(meta.capabilities, 'tasks')) throw missingCapability(['tasks'])
    if (method === 'tools/call') checkParamHeaders(this.#headersOf(params.name), headers, params.arguments)
    return { meta, facts }
  }

  async #result({ id, method, params }: Request, caller: Caller): Promise<string | Buffer> {
    const own = this.#own[method]
    return this.#stamps.complete(id, method, await (own ? own(params, caller) : this.#dispatch(method, params, caller)))
  }

  async #listen(
    { id, params }: Request,
    { principal, headers, openStream }: McpRequest,
    { capabilities }: RequestMeta,
  ): Promise<undefined> {
    requireStreams(headers.accept)
    await this.#listeners.open({ id, params, principal, capabilities, openStream }, this.#tasks)
  }

  #opened(openStream: OpenStream, { principal, abort }: McpRequest): EventStream {
    const stream = openStream('call')
    this.#live.add(stream, { tenantId: principal.tenantId, stop: (why) => abort.abort(why) })
    return stream
  }

  #headersOf(tool: unknown): readonly ParamHeader[] {
    if (typeof tool !== 'string') return NO_HEADERS
    let known = this.#paramHeaders.get(tool)
    if (known === undefined) {
      const schema = this.#gateway.inventory.tools.get(tool)?.item.input
      // Names invented by callers are not cached.
      if (schema === undefined) return NO_HEADERS
      this.#paramHeaders.set(tool, (known = paramHeaders(schema)))
    }
    return known
  }

  #failure(error: unknown, method: string, requestId: string): RpcError {
    if (error instanceof RpcError) return withStatelessCode(error, method)
    this.#gateway.log.error({ err: error, method, requestId }, 'an MCP method failed')
    return new RpcError(INTERNAL, 'Internal error', { requestId })
  }
}

const NO_HEADERS: readonly ParamHeader[] = []

function sent(stream: RequestStream | undefined, status: number, body: string | Buffer): Answer | undefined {
  return stream?.finish(body) ? undefined : { status, body }
}

function refused(why: string): Answer {
  return { status: 400, body: errorMessage(undefined, new RpcError(INVALID_REQUEST, `Invalid request: ${why}`)) }
}

/** The dispatcher uses the codes of the handshake protocol, some of which must not be used any more. */
function withStatelessCode(error: RpcError, method: string): RpcError {
  switch (error.code) {
    case METHOD_NOT_FOUND:
      return methodNotFound(method)
    case RESOURCE_NOT_FOUND:
      return new RpcError(INVALID_PARAMS, error.message, error.data)
    case SERVER_ERROR: {
      const isFault = isObject(error.data) && error.data.code === InternalError.code
      return new RpcError(isFault ? INTERNAL : REFUSED, error.message, error.data)
    }
    default:
      return error
  }
}
