import type { CallRecord } from '@gateway/sdk'
import type { UsageType } from '../schema.ts'

/** Type that a call counts as; undefined for calls that are not usage: refusals, the gateway's own work, and calls that a call makes. */
export function typeOf({
  kind,
  tool,
  via,
  outcome,
  principal,
  inner,
}: Pick<CallRecord, 'kind' | 'tool' | 'via' | 'outcome' | 'principal' | 'inner'>): UsageType | undefined {
  if (outcome !== 'ok' || principal.kind === 'system') return undefined
  const isFromOutside = via === 'mcp' || via === 'rest'
  if (inner && isFromOutside) return undefined
  if (kind === 'tool') return isFromOutside ? 'tool_call' : 'scheduled_call'
  if (kind === 'route') return 'api_call'
  if (tool.startsWith('resource ')) return 'resource_read'
  return tool.startsWith('prompt ') ? 'prompt_get' : undefined
}

/** Longer names belong to no repo. */
const MAX_NAME = 200
/** Characters that no store keeps in an id: one such name in a filter would take the counts of other calls along. */
const NEVER_STORED = /[\0\p{Surrogate}]/u

export function repoIn(args: unknown): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined
  const { repo } = args as { readonly repo?: unknown }
  return typeof repo === 'string' && repo !== '' && repo.length <= MAX_NAME && !NEVER_STORED.test(repo) ? repo : undefined
}
