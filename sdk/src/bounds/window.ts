/**
 * True until the end of a window that lasts `windowMs` from its beginning; all in milliseconds. A window with more than that left was begun
 * before the clock was set back: it counts as over, because its real rest cannot be known and nobody may wait for the length of that step.
 */
export const isWindowOpen = (until: number, now: number, windowMs: number): boolean => until > now && until - now <= windowMs
