/** Idle timeout: a transfer without any progress for this long is ended. */
export const IDLE_MS = 60_000
