import type { Outgoing } from '@gateway/plugin-outgoing/api'
import type { ProviderSettings } from '../config.ts'
import { list, object, readObject, text } from '../rules/answer.ts'

const TIMEOUT_MS = 10_000
/** The longest known lists, those of brokers, have a few megabytes. */
const MAX_BYTES = 8_388_608

/** Models of a provider as it lists them, or the reason why it lists none, as the end of a sentence. */
export type ListedModels = { readonly models: readonly string[] } | { readonly fault: string; readonly status?: number }

/** Asks a provider for its models, with its key. Never throws. */
export async function listModels(
  http: Outgoing,
  { baseUrl, apiKey, wire }: ProviderSettings,
  wireHeaders: (apiKey: string | undefined) => Readonly<Record<string, string>>,
): Promise<ListedModels> {
  const path = wire === 'anthropic' ? '/v1/models?limit=1000' : '/models'
  const request = {
    url: baseUrl.replace(/\/+$/, '') + path,
    reach: 'operator',
    headers: { accept: 'application/json', ...wireHeaders(apiKey) },
    timeouts: { totalMs: TIMEOUT_MS },
    maxResponseBytes: MAX_BYTES,
    breaker: false,
  } as const
  try {
    const asker = { tenantId: 'local', signal: AbortSignal.timeout(TIMEOUT_MS), now: () => new Date() }
    const { status, body } = await http.send(request, asker)
    if (status !== 200) return { fault: faultOf(status), status }
    const models = list(readObject(body.toString('utf8')).data).flatMap((one) => text(object(one)?.id) ?? [])
    return { models }
  } catch (error) {
    return { fault: error instanceof Error && error.name === 'Malformed' ? 'answers something else than JSON' : 'cannot be reached' }
  }
}

function faultOf(status: number): string {
  if (status === 401 || status === 403) return `refuses its key (HTTP ${status})`
  return status === 404 ? 'has no list of models at its address (HTTP 404)' : `answers HTTP ${status}`
}
