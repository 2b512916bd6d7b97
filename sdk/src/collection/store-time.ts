/** The store's own time plus an offset, resolved by the store when the operation runs, so that nodes agree. */
export interface StoreTime {
  readonly $now: number
}
/** `now()` is the store's time, `now(3600)` an hour later. Use it in a filter or in `set`. */
export function now(offsetSeconds = 0): StoreTime {
  return { $now: offsetSeconds * 1000 }
}
