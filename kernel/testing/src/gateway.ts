import type { Plugin, Principal, TenantAdmin } from '@gateway/sdk'
import type { TestClock } from './clock.ts'

/** Parts of a test's gateway. */
export interface TestGatewayOptions {
  readonly plugins: readonly Plugin[]
  /** `plugins` of the config file. */
  readonly config?: Readonly<Record<string, boolean | Readonly<Record<string, unknown>>>>
  /** Environment variables; the real environment is ignored. */
  readonly env?: Readonly<Record<string, string>>
  /** Default caller of calls. Default: the local operator. */
  readonly as?: Partial<Principal>
  /** Default: a `testClock()`, so that time moves only when the test moves it. */
  readonly clock?: TestClock
  /** Listens on a loopback port and sets `url`. Default: only `call` and `inject`. */
  readonly listen?: boolean
  /** Reuses this data folder (it is then not removed at the end). */
  readonly dataDir?: string
  /** Checks the written documents against the schemas of their collections when the gateway stops. Default: false. */
  readonly checkDocuments?: boolean
}

/** Caller and transport of a call. */
export interface CallOptions {
  readonly as?: Partial<Principal>
  readonly via?: 'mcp' | 'rest' | 'job' | 'event'
  readonly signal?: AbortSignal
}

/** Answer over HTTP. */
export interface InjectResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  json(): any
}

/** Running gateway, as a test sees it. `await using` stops it at the end. */
export interface TestGateway {
  readonly clock: TestClock
  readonly dataDir: string
  /** `http://127.0.0.1:<port>` when `listen` was set, else ''. */
  readonly url: string
  /** Lines logged so far, parsed. */
  readonly logs: readonly Readonly<Record<string, unknown>>[]
  /** Runs a tool or a route on the call path. Rejects with a ToolError (code, status, details) on a refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  call(name: string, args?: object, options?: CallOptions): Promise<any>
  /** Sends a request through the real HTTP stack, from 127.0.0.1, without a socket. */
  inject(request: { method: string; url: string; headers?: Record<string, string>; body?: unknown }): Promise<InjectResponse>
  /** Returns the audit records of a tenant (default `local`), oldest first. */
  audit(tenantId?: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Returns every document of a tenant, by collection id: the data it would lose, and that nobody else may see. */
  documents(tenantId?: string): Promise<Readonly<Record<string, readonly object[]>>>
  /** The operator's actions on tenants. A test's tenants need no record until one is suspended or put under legal hold. */
  readonly tenants: TenantAdmin
  /** Runs a plugin's job now in every tenant. */
  runJob(id: string): Promise<void>
  /** Stops the gateway, and starts it again on the same data and clock. */
  restart(): Promise<void>
  /** With `checkDocuments` it rejects, once all is closed, if documents contradict the schemas of their collections. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Boots the real kernel with these plugins on a temporary store. Results are checked against each tool's output schema, and payloads against
 * the schemas of their events; with `checkDocuments`, written documents against those of their collections.
 */
export async function startTestGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const { startForTest } = await import('./start.ts')
  return startForTest(options)
}
