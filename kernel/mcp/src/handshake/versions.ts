import type { ClientAbility } from '@gateway/sdk'
import { hasAbility } from '../abilities.ts'

export const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
export const LATEST = '2025-11-25'
/** What a request without a version header and without a session is taken for, by the protocol’s own rule. */
export const ASSUMED = '2025-03-26'

/** Dates of this form compare as text. */
export const hasBatches = (version: string): boolean => version <= '2025-03-26'
/** Whether a client waits and comes back to a stream that ended early, and knows the event without data that tells it so. */
export const comesBack = (version: string): boolean => version >= '2025-11-25'
/** Whether a form may offer choices with titles, and has a `mode`. */
export const hasRichForms = (version: string): boolean => version >= '2025-11-25'

export function isVersion(version: string): boolean {
  return (VERSIONS as readonly string[]).includes(version)
}

const SINCE: Readonly<Record<Exclude<ClientAbility, 'tasks'>, string>> = {
  elicitation: '2025-06-18',
  'elicitation.url': '2025-11-25',
  sampling: '2024-11-05',
  'sampling.tools': '2025-11-25',
  roots: '2024-11-05',
}

/**
 * What a client can do that declared these capabilities for this version. `tasks` is none of them in this era: a client
 * that comes back to its stream can take an answer later without having said so.
 */
export function abilitiesOf(capabilities: unknown, version: string): readonly ClientAbility[] {
  const declared = (Object.keys(SINCE) as (keyof typeof SINCE)[]).filter(
    (ability) => version >= SINCE[ability] && hasAbility(capabilities, ability),
  )
  return comesBack(version) ? [...declared, 'tasks'] : declared
}
