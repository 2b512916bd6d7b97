import { type ToolError, Unavailable } from '@gateway/sdk'

/** Others may write to the repository as well, by a push or on another node: a change is retried this often. */
export const ATTEMPTS = 5

export const lostRace = (): ToolError =>
  Unavailable({
    message: `The change was not made: other writers changed the brain’s refs during each of ${ATTEMPTS} attempts. Try again shortly.`,
    retryAfterSeconds: 1,
  })
