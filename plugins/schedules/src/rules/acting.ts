import { atLeast, type OnBehalf, type Principal } from '@gateway/sdk'

/** Prefix of the caller id for calls with an API key. */
export const MADE_WITH_KEY = 'key:'
/** Prefix of the caller id of a person who signed in through a provider. */
export const MADE_BY_MEMBER = 'member:'

/**
 * Returns the principal who answers for a schedule after someone changed when or what it runs: never with a role that may do more
 * than the previous one, and never with one that may do more than the one who made the change.
 */
export function answering(before: OnBehalf, { id, role }: Principal): OnBehalf {
  return atLeast(before.role, role) ? { id, role } : before
}

/**
 * Returns the principal for a run on request: by the same rule, but it stays the one who answers for the schedule if possible.
 */
export function actingFor(answers: OnBehalf, { id, role }: Principal): OnBehalf {
  return atLeast(role, answers.role) ? answers : { id, role }
}
