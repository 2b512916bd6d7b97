import { type ToolError, Unavailable } from '@gateway/sdk'

/** Others may write to the repository as well, by a push or on another node: a change is retried this often. */
export const ATTEMPTS = 5

export const lostRace = (): ToolError =>
  Unavailable({
    message: `The change lost ${ATTEMPTS} races against other writers of the brain and was not made; try again shortly.`,
    retryAfterSeconds: 1,
  })
