import type { ClientAbility } from '@gateway/sdk'
import { hasAbility } from '../abilities.ts'

export const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
export const LATEST = '2025-11-25'
/** Version assumed for a request without a version header and without a session, by the protocol's own rule. */
export const ASSUMED = '2025-03-26'

/** Dates of this form compare as text. */
export const hasBatches = (version: string): boolean => version <= '2025-03-26'
/** True if the client reconnects to a stream that ended early, and understands the event without data that asks for it. */
export const resumesStreams = (version: string): boolean => version >= '2025-11-25'
/** True if a form may offer choices with titles, and has a `mode`. */
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
 * Abilities of a client that declared these capabilities for this version. `tasks` is not among them in this protocol: a client
 * that resumes its stream can fetch an answer later without having declared it.
 */
export function abilitiesOf(capabilities: unknown, version: string): readonly ClientAbility[] {
  const declared = (Object.keys(SINCE) as (keyof typeof SINCE)[]).filter(
    (ability) => version >= SINCE[ability] && hasAbility(capabilities, ability),
  )
  return resumesStreams(version) ? [...declared, 'tasks'] : declared
}
