import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { isCertificateFault } from './not-reached.ts'

type Method = 'POST' | 'GET' | 'DELETE'
export interface Request {
  readonly method: Method
  readonly headers: OutgoingHttpHeaders
  readonly body?: Buffer | string
  readonly signal: AbortSignal
  /** Time to wait for a service that cannot be reached. Default: the endpoint's patience. */
  readonly patienceMs?: number
  /** Called when the service may have received the request. */
  readonly onSent?: () => void
}

/** Thrown if no connection could be made, so that nothing was sent. */
export class NotReached extends Error {
  override readonly name = 'NotReached'
  constructor(cause: NodeJS.ErrnoException) {
    super(cause.code ?? cause.message, { cause })
  }
}

/** Headers that identify the caller. A function is asked before each request, because tokens end while the bridge runs. */
export type Credential = Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>)

/** `waits` is true if the request is retried. */
type Unreachable = (error: Error, waits: boolean) => void

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 1_000

/**
 * MCP endpoint of the service. Requests wait for a service that is down or restarting, as long as none of them can have been
 * executed: while no connection can be made, or the service says that it takes no work at present. A request that was sent is
 * never sent again.
 *
 * `node:http` and not `fetch`: `fetch` gives up when an answer does not begin within five minutes.
 */
export class Endpoint {
  readonly url: string
  readonly #credential: Credential
  readonly #patienceMs: number
  readonly #send: typeof httpRequest
  readonly #secure: boolean
  readonly #agent: HttpAgent
  #unreachable: Unreachable | undefined

  /** `unreachable` is called once: when the first request begins to wait for the service, or its certificate is refused. */
  constructor(url: string, credential: Credential, patienceMs: number, unreachable?: Unreachable) {
    this.url = url
    this.#credential = credential
    this.#patienceMs = patienceMs
    this.#unreachable = unreachable
    this.#secure = url.startsWith('https:')
    this.#send = this.#secure ? httpsRequest : httpRequest
    this.#agent = this.#secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  }

  /**
   * Resolves to the answer, as soon as its head has arrived. Rejects with NotReached, or with the error that broke the
   * connection.
   */
  async request(request: Request): Promise<IncomingMessage> {
    const deadline = performance.now() + (request.patienceMs ?? this.#patienceMs)
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      const last = performance.now() + wait > deadline
      try {
        // A connection that the service closed in the meantime must be known as closed before it is chosen.
        await nextTurn()
        const caller = typeof this.#credential === 'function' ? await this.#credential() : this.#credential
        const answer = await this.#once(
          { ...request, headers: { ...caller, ...request.headers } },
          Math.max(deadline - performance.now(), LONGEST_WAIT_MS),
        )
        if (last || !isRejection(answer)) return answer
        answer.resume()
      } catch (error) {
        if (!(error instanceof NotReached)) throw error
        const isRefused = isCertificateFault(error)
        const waits = !last && !isRefused
        if (waits || isRefused) {
          this.#unreachable?.(error, waits)
          this.#unreachable = undefined
        }
        if (!waits) throw error
      }
      await delay(wait, undefined, { signal: request.signal })
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #once({ method, headers, body, signal, onSent }: Request, limitMs: number): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      let connected = false
      const request = this.#send(this.url, { method, headers, signal, agent: this.#agent })
      const limit = setTimeout(() => request.destroy(new Error('no connection in time')), limitMs)
      const connect = (): void => {
        connected = true
        clearTimeout(limit)
      }
      request.on('socket', (socket) => {
        if (socket.connecting) socket.once(this.#secure ? 'secureConnect' : 'connect', connect)
        else connect()
      })
      request.on('finish', () => connected && onSent?.())
      request.on('response', resolve)
      request.on('error', (error) => {
        clearTimeout(limit)
        reject(connected || signal.aborted ? error : new NotReached(error))
      })
      request.end(body)
    })
  }
}

/** The service refuses before it reads the request when it is stopping or has too much to do. */
function isRejection({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 503 && headers['retry-after'] !== undefined
}
