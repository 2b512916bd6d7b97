import { atLeast, type OnBehalf, type Principal } from '@gateway/sdk'

/** What the id of who calls with an API key begins with. */
export const MADE_WITH_KEY = 'key:'

/**
 * Who answers for a schedule after someone changed when or what it runs: never a role that may do more than the one
 * before, and never one that may do more than whoever changed it.
 */
export function answering(before: OnBehalf, { id, role }: Principal): OnBehalf {
  return atLeast(before.role, role) ? { id, role } : before
}

/** For whom a run is made that someone asks for: by the same rule, but it stays theirs who answer for the schedule if it can. */
export function actingFor(answers: OnBehalf, { id, role }: Principal): OnBehalf {
  return atLeast(role, answers.role) ? answers : { id, role }
}
