/** Many times what any window needs. */
export const KEPT_DAYS = 90
