/** A transfer in which nothing moved for so long is ended. */
export const IDLE_MS = 60_000
