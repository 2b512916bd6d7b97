/** Names of services that cost the usual price of a model, or less. */
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
const DEARER_FACTOR = 2.5

/** The multiple that a service costs which an answer names; undefined if it names none. */
export function factorOf(service: unknown): number | undefined {
  if (typeof service !== 'string') return undefined
  return isDearer(service) ? DEARER_FACTOR : 1
}

/** The multiple that the service may cost which a request asks for. */
export const factorAsked = ({ service_tier: tier, speed }: Readonly<Record<string, unknown>>): number =>
  isDearer(tier) || speed === FAST ? DEARER_FACTOR : 1

/** Value of `speed` for the faster service, in requests and answers of Anthropic's format. */
const FAST = 'fast'

/** True for the name of a service that may cost more than the price of a model, such as `priority` or `fast`. */
const isDearer = (serviceTier: unknown): boolean => typeof serviceTier === 'string' && !USUAL.has(serviceTier)
