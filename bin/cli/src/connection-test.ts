import { EXIT, type ExitCode, isCommandError, type ServiceClient } from '@gateway/sdk/command'
import { isCertificateFault } from '@gateway/stdio-bridge/not-reached'
import { callerHeaders, clientOf, loginAdvice } from './client.ts'
import type { Env } from './command.ts'
import { endpointPath } from './endpoint-path.ts'
import { listTools } from './official-client.ts'
import type { ServiceAddress } from './service-address.ts'

/** Parts of a connection, in the order of the tests. */
export type Part = 'address' | 'certificate' | 'service' | 'credential' | 'view' | 'MCP'

export interface Failure {
  readonly part: Part
  readonly error: string
  readonly exitCode: ExitCode
  /** Families of the service, if `view` names others. */
  readonly families?: readonly string[]
}

export interface ConnectionTest {
  readonly needsCredential: boolean
  /** Number of tools the endpoint lists, and the protocol revision; absent after a failure. */
  readonly tools?: string
  readonly failure?: Failure
}

interface Tested {
  readonly address: ServiceAddress
  readonly view: string | undefined
  readonly env: Env
  readonly withCredential: boolean
}

/** Calls the service as the client will: without a credential if that is enough, else with the one of this environment. */
export async function testConnection({ address, view, env, withCredential }: Tested): Promise<ConnectionTest> {
  const anonymous = clientOf(address, {})
  const reached = await failureOf('service', checkIdentity(anonymous))
  if (reached) return { needsCredential: withCredential, failure: reached }
  const list = `/api/tools?view=${encodeURIComponent(listName(view))}`
  const refused = withCredential ? undefined : await failureOf('credential', anonymous.get(list))
  const needsCredential = withCredential || refused?.part === 'credential'
  const headers = needsCredential ? await callerHeaders(address, env) : {}
  const asCaller = clientOf(address, headers, undefined, () => loginAdvice(address, env))
  const failure = needsCredential ? await failureOf('credential', asCaller.get(list)) : refused
  if (failure) return { needsCredential, failure }
  try {
    return { needsCredential, tools: await listTools(`${address.url}${endpointPath(view)}`, headers, 'auto') }
  } catch (error) {
    return { needsCredential, failure: { part: 'MCP', error: (error as Error).message, exitCode: EXIT.failure } }
  }
}

async function checkIdentity(client: ServiceClient): Promise<void> {
  const { name } = (await client.get('/status')) as { readonly name?: unknown }
  if (name !== 'gateway') throw new Error(`${client.url}/status does not answer like a gateway.`)
}

const listName = (view: string | undefined): string => (view === undefined ? 'all' : view === 'core' ? 'core' : `t/${view}`)

async function failureOf(part: Part, answer: Promise<unknown>): Promise<Failure | undefined> {
  try {
    await answer
    return undefined
  } catch (error) {
    const { message, cause } = error as Error
    if (!isCommandError(error)) return { part, error: message, exitCode: EXIT.failure }
    const { exitCode, record } = error
    if (exitCode === EXIT.unreachable) return { part: isCertificateFault(cause) ? 'certificate' : 'address', error: message, exitCode }
    const { code, details } = (record ?? {}) as { readonly code?: unknown; readonly details?: { readonly families?: readonly string[] } }
    if (code === 'UNKNOWN_FAMILY') return { part: 'view', error: message, exitCode, families: details?.families ?? [] }
    return { part: exitCode === EXIT.refused ? part : 'service', error: message, exitCode }
  }
}
