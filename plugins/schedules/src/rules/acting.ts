import { atLeast, defined, type OnBehalf, type Principal } from '@gateway/sdk'

/** Prefix of the caller id for calls with an API key. */
export const MADE_WITH_KEY = 'key:'
/** Prefix of the caller id of a person who signed in through a provider. */
export const MADE_BY_MEMBER = 'member:'

/** The caller, as the principal who answers for a schedule. */
export const whoCalls = ({ id, role, label }: Principal): OnBehalf => ({ id, role, ...defined({ label }) })

/**
 * Returns the principal who answers for a schedule after someone changed when or what it runs: never with a role that may do more
 * than the previous one, and never with one that may do more than the one who made the change. Unless the previous one still
 * stands, it is always the one who made the change.
 */
export function answering(before: OnBehalf, caller: Principal, stands: boolean): OnBehalf {
  if (atLeast(before.role, caller.role)) return whoCalls(caller)
  return stands ? before : { ...whoCalls(caller), role: before.role }
}

/**
 * Returns the principal for a run on request: by the same rule, but it stays the one who answers for the schedule if possible.
 */
export function actingFor(answers: OnBehalf, caller: Principal, stands: boolean): OnBehalf {
  if (!atLeast(caller.role, answers.role)) return whoCalls(caller)
  return stands ? answers : { ...whoCalls(caller), role: answers.role }
}
