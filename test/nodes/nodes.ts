import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lacksProgram, lacksServer, mongoServer, startServer } from '../../kernel/storage-mongodb/test/mongodb-server.ts'
import { type GatewayProcess, warmGateway } from '../crash/gateway/spawn.ts'

export const ADMIN = 'the-admin-token-of-the-tests'
/** The server of the tests is slow. */
export const STORE_TIMEOUT_MS = 120_000
const env = {
  ADMIN_API_TOKEN: ADMIN,
  GATEWAY_HASH_KEY: '5a'.repeat(32),
  GATEWAY_JWT_SECRET: 'a-session-secret-of-some-length-0123456789',
  GATEWAY_PORT: '0',
  SYNTHETIC_CANARY_DISABLED: '1',
  // Calls on a slow server end before a stop.
  GATEWAY_STOP_TIMEOUT_MS: '60000',
  GATEWAY_MONGODB_TIMEOUT_MS: String(STORE_TIMEOUT_MS),
}

export interface Answer {
  readonly status: number
  /** True if the answer is the kept one of an earlier call with the same key. */
  readonly isReplay: boolean
  readonly json: Record<string, unknown>
}

/** A gateway of several; it can be stopped or killed and started again on its data folder. */
export class Node {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'gateway-node-'))
  readonly #database: string
  readonly #over: Readonly<Record<string, string>>
  readonly #program: string
  #process: GatewayProcess | undefined

  constructor(database: string, over: Readonly<Record<string, string>> = {}, program = 'node.ts') {
    this.#database = database
    this.#over = over
    this.#program = join(import.meta.dirname, program)
  }

  get isRunning(): boolean {
    return this.#process !== undefined
  }

  get url(): string {
    if (this.#process === undefined) throw new Error('this gateway does not run')
    return this.#process.url
  }

  async start(): Promise<this> {
    const program = warmGateway(this.#program)
    this.#process = await program.start({ ...env, ...this.#over, GATEWAY_DATA_DIR: this.#dataDir, MONGODB_URL: this.#database })
    return this
  }

  async stop(): Promise<void> {
    await this.#process?.stop()
    this.#process = undefined
  }

  async pause(ms: number): Promise<void> {
    await this.#process?.pause(ms)
  }

  async kill(): Promise<void> {
    const dying = this.#process
    this.#process = undefined
    await dying?.kill()
  }

  async dispose(): Promise<void> {
    await this.kill()
    rmSync(this.#dataDir, { recursive: true, force: true })
  }

  async post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const isReplay = response.headers.get('idempotency-replayed') === 'true'
    return { status: response.status, isReplay, json: (await response.json()) as Record<string, unknown> }
  }

  async get(path: string): Promise<string> {
    const response = await fetch(this.url + path)
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.text()
  }

  /** Calls as the local operator. */
  async call(tool: string, args: object): Promise<Record<string, unknown>> {
    const { status, json } = await this.post(`/api/tools/${tool}`, args)
    if (status !== 200) throw new Error(`${tool} ${JSON.stringify(args)} answered ${status}: ${JSON.stringify(json)}`)
    return json
  }

  admin(path: string, body: object): Promise<Answer> {
    return this.post(`/api/tenants${path}`, body, { 'x-admin-token': ADMIN })
  }
}

/** Reason why there is no server. */
export const skip = lacksServer() ?? false
const server = skip === false ? await mongoServer() : undefined
// Files of one process share the server, so that none of them may stop it when its own tests are over.
process.once('beforeExit', () => void server?.stop())

/** Address of a database of its own, which the test's server holds. */
export function database(): string {
  if (server === undefined) throw new Error(String(skip))
  return inDatabase(server.url)
}

function inDatabase(server: string): string {
  const address = new URL(server)
  address.pathname = `/test_${randomUUID().replaceAll('-', '')}`
  return address.href
}

/** A database on a server that has no other; where tests may not start one, on the test's server. */
export async function freshDatabase(): Promise<{ readonly url: string } & AsyncDisposable> {
  if (process.env.MONGODB_URL !== undefined || lacksProgram() !== undefined) {
    return { url: database(), [Symbol.asyncDispose]: async () => {} }
  }
  const own = await startServer()
  return { url: inDatabase(own.url), [Symbol.asyncDispose]: () => own.stop() }
}
