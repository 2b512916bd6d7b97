import type { Task } from '../schema.ts'
import type { AgentKey } from './agent-key.ts'

const TIMEOUT_MS = 10_000
const MAX_QUERY = 2_000

/** Returns the context of the repo as the gateway gives it to the agent: what it names, the key of the task may do. */
export async function bootContext({ url, apiKey }: AgentKey, { repo, title, description = '' }: Task): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/api/tools/context_boot`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ repo, query: `${title}\n${description}`.slice(0, MAX_QUERY) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return response.ok ? ((await response.json()) as { bundle?: string }).bundle : undefined
  } catch {
    return undefined
  }
}
