import { DAY_MS } from '@gateway/sdk'

/** A tenant that ships this long after the beginning has stayed. */
const RETAINED_AFTER_DAYS = 7

export const isRetained = (begun: string, at: Date): boolean => at.getTime() - Date.parse(begun) >= RETAINED_AFTER_DAYS * DAY_MS
