import { closed, type Infer, Type } from '@gateway/sdk'

/** Values of the interface, in its own order. */
export const PROVIDERS = ['api', 'provider_b', 'provider_c', 'local', 'bridge', 'direct'] as const
export const TIERS = ['budget', 'standard', 'premium', 'ultra', 'tier_x', 'tier_y'] as const
export const WORK_TYPES = [
  'agentic-interactive',
  'agentic-autonomous',
  'frontend',
  'backend',
  'docs',
  'chat',
  'research',
  'code-review',
  'architecture',
  'database',
  'security',
  'data-embeddings',
  'summarize-extract',
] as const
export const COMPLEXITY_LEVELS = ['trivial', 'low', 'standard', 'high', 'critical'] as const
export const CHANNEL_TYPES = ['chat_channel', 'scheduler', 'mcp', 'websocket'] as const
export const MODES = ['runner', 'interactive'] as const

export type ProviderName = (typeof PROVIDERS)[number]
export type Tier = (typeof TIERS)[number]
export type WorkType = (typeof WORK_TYPES)[number]
export type ComplexityLevel = (typeof COMPLEXITY_LEVELS)[number]
export type ChannelType = (typeof CHANNEL_TYPES)[number]
export type Mode = (typeof MODES)[number]

const tierModels = Type.Record(Type.String(), Type.String(), { description: 'Model of each tier that has one.' })
const time = Type.Optional(Type.String({ description: 'ISO 8601.' }))

const price = Type.Object(
  {
    inputPerMTok: Type.Number({ description: 'USD per million tokens.' }),
    outputPerMTok: Type.Number(),
    cacheReadPerMTok: Type.Optional(Type.Number()),
    cacheWritePerMTok: Type.Optional(Type.Number()),
    cacheWrite1hPerMTok: Type.Optional(Type.Number()),
    longPrompts: Type.Optional(
      Type.Object(
        {
          overTokens: Type.Number({ description: 'Size of a prompt from which the call costs this instead.' }),
          inputPerMTok: Type.Number(),
          outputPerMTok: Type.Number(),
          cacheReadPerMTok: Type.Optional(Type.Number()),
          cacheWritePerMTok: Type.Optional(Type.Number()),
          cacheWrite1hPerMTok: Type.Optional(Type.Number()),
        },
        closed,
      ),
    ),
    source: Type.String({ description: '`settings`, or the page that the table of public prices was read from.' }),
    asOf: Type.Optional(Type.String({ description: 'Day on which the table was read.' })),
  },
  closed,
)
const optionalPrice = Type.Optional(price)

export const ProviderHealth = Type.Object(
  {
    provider: Type.Enum(PROVIDERS),
    wire: Type.String(),
    models: tierModels,
    prices: Type.Record(Type.String(), price, { description: 'Prices of these models, by model; one without a price costs 0.' }),
    circuitBreaker: Type.Object(
      {
        state: Type.Enum(['closed', 'open', 'half-open']),
        failures: Type.Integer({ description: 'Consecutive failures up to now.' }),
        opensAfter: Type.Integer(),
        openUntil: time,
      },
      closed,
    ),
    counts: Type.Object(
      {
        calls: Type.Integer(),
        succeeded: Type.Integer(),
        failed: Type.Integer(),
        refused: Type.Integer(),
        rateLimited: Type.Integer(),
        timedOut: Type.Integer({ description: 'Included in failed.' }),
        inFlight: Type.Integer(),
        queued: Type.Integer({ description: 'Waiting calls that could use this provider.' }),
      },
      { ...closed, description: 'Since the start of this process.' },
    ),
    rateLimiter: Type.Object(
      { tokens: Type.Integer(), capacity: Type.Integer(), perMinute: Type.Integer(), cooldownUntil: time },
      { ...closed, description: 'Calls that may be made now. `cooldownUntil`: the provider asked to be left alone.' },
    ),
    failover: Type.Object(
      { position: Type.Integer({ description: 'Position in the chain; 0 is asked first.' }), next: Type.Optional(Type.Enum(PROVIDERS)) },
      closed,
    ),
    status: Type.Enum(['active', 'draining', 'maintenance']),
    maintenance: Type.Optional(
      Type.Object(
        {
          since: Type.String(),
          reason: Type.Optional(Type.String()),
          operator: Type.Optional(Type.String()),
          operatorPrincipal: Type.Optional(
            Type.String({ description: 'Principal that entered it: `key <label>`, `user <id>`, operator.' }),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
)
export type ProviderHealth = Infer<typeof ProviderHealth>

const optionalTier = Type.Optional(Type.Enum(TIERS))
const decisionFields = {
  tier: Type.Enum(TIERS),
  rule: Type.Enum(['model', 'tier', 'workType', 'complexityLevel', 'tool', 'agent', 'channel', 'default']),
  reason: Type.String({ description: 'Rule that decided, and its adjustments.' }),
  upgradedFrom: optionalTier,
  downgradedFrom: optionalTier,
  failoverFrom: Type.Optional(Type.Enum(PROVIDERS)),
  failoverReason: Type.Optional(Type.String()),
}
const RoutingDecision = Type.Object(
  { provider: Type.Enum(PROVIDERS), model: Type.String(), mode: Type.Enum(MODES), ...decisionFields },
  closed,
)
/** The same before a call: nothing may be configured. */
export const RoutingPreview = Type.Object(
  {
    provider: Type.Union([Type.Enum(PROVIDERS), Type.Null()], { description: 'null while no provider is configured.' }),
    model: Type.Union([Type.String(), Type.Null()]),
    mode: Type.Enum(MODES),
    ...decisionFields,
    price: optionalPrice,
    missing: Type.Optional(Type.String({ description: 'Setting that is missing for a model call.' })),
    chain: Type.Array(
      Type.Object(
        {
          provider: Type.Enum(PROVIDERS),
          model: Type.String(),
          available: Type.Boolean(),
          why: Type.Optional(Type.String()),
          price: optionalPrice,
          calls: Type.Integer({ description: 'Recent calls of this model in this process.' }),
          successRate: Type.Number({ description: '0 to 1, of recent calls; 1 without any.' }),
        },
        closed,
      ),
      { description: 'Providers in the order in which they would be asked.' },
    ),
  },
  closed,
)
export const RoutedCall = Type.Object(
  { at: Type.String(), agent: Type.Optional(Type.String()), provider: Type.Enum(PROVIDERS), model: Type.String(), ...decisionFields },
  closed,
)
export const DroppedHop = Type.Object(
  {
    at: Type.String(),
    provider: Type.Enum(PROVIDERS),
    model: Type.String(),
    reason: Type.String(),
    next: Type.Optional(Type.Enum(PROVIDERS, { description: 'Provider asked next; absent when the call was given up.' })),
  },
  closed,
)
const ModelUsage = Type.Object(
  {
    inputTokens: Type.Integer(),
    outputTokens: Type.Integer(),
    cacheReadTokens: Type.Optional(Type.Integer({ description: 'Part of inputTokens: read from a cache.' })),
    cacheWriteTokens: Type.Optional(Type.Integer({ description: 'Part of inputTokens: written to a cache.' })),
    estimated: Type.Boolean({ description: 'The provider reported no plausible count; tokens are estimated at four characters each.' }),
    costUsd: Type.Number(),
    priced: Type.Boolean({ description: 'false: the model has no price and costs 0.' }),
  },
  closed,
)
export const completionFields = {
  stopReason: Type.Enum(['end', 'length', 'filtered'], { description: 'length: cut off at maxTokens.' }),
  provider: Type.Enum(PROVIDERS),
  model: Type.String(),
  tier: Type.Enum(TIERS),
  routing: RoutingDecision,
  usage: ModelUsage,
  hops: Type.Integer({ description: 'Failed attempts before it.' }),
  durationMs: Type.Integer(),
  firstTokenMs: Type.Integer(),
}

const outsideName = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))
const outsideTokens = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description }))

/** Usage of a model that was called past the gateway, as its user reports it. */
export const OutsideUsage = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200 }),
    provider: outsideName('Who served it. Default: external.'),
    inputTokens: outsideTokens('Without those of caches.'),
    outputTokens: outsideTokens('Reasoning included.'),
    cacheReadTokens: outsideTokens('Read from a cache.'),
    cacheWriteTokens: outsideTokens('Written to a cache.'),
    usd: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Cost in USD. Default: tokens times the price of the model.' }),
    ),
    taskId: outsideName('The task it was for.'),
    agent: outsideName('The agent that called.'),
    account: outsideName('The account of the vendor that paid.'),
  },
  closed,
)
export type OutsideUsage = Infer<typeof OutsideUsage>
