/** Services that cost the price of a model, or less. */
const USUAL: ReadonlySet<unknown> = new Set([
  '',
  'auto',
  'default',
  'standard',
  'standard_only',
  'on_demand',
  'flex',
  'batch',
  'scale',
  'reserved',
])

/** Greatest multiple of its usual prices that a vendor charges for a faster service. */
export const DEARER_FACTOR = 2.5

/** True for the name of a service that may cost more than the price of a model, such as `priority` or `fast`. */
export const isDearer = (serviceTier: unknown): boolean => typeof serviceTier === 'string' && !USUAL.has(serviceTier)
