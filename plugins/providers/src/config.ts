import { join } from 'node:path'
import { closed, defineConfig, type Infer, Type } from '@gateway/sdk'
import type { RelayLimits } from './rules/relay.ts'
import { CHANNEL_TYPES, PROVIDERS, type ProviderName, TIERS, type Tier } from './schema.ts'

const tier = Type.Enum(TIERS)

const eachOf = <const N extends string, S extends object>(names: readonly N[], schema: S) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(schema as never)])) as unknown as Record<
    N,
    ReturnType<typeof Type.Optional<S & ReturnType<typeof Type.Unknown>>>
  >

const price = Type.Number({ minimum: 0, maximum: 1_000_000 })

const providerSettings = Type.Object(
  {
    wire: Type.String({
      pattern: '^[a-z][a-z0-9-]{0,39}$',
      description:
        'API format. `openai`: POST {baseUrl}/chat/completions. `anthropic`: POST {baseUrl}/v1/messages. Or a wire that another plugin contributes.',
    }),
    baseUrl: Type.String({ pattern: '^https?://', maxLength: 2_000 }),
    apiKey: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000, description: 'Never shown. Refer to an environment variable.' })),
    models: Type.Optional(
      Type.Object(eachOf(TIERS, Type.String({ minLength: 1, maxLength: 200 })), {
        ...closed,
        description: 'Model of each tier; a tier without one uses the next cheaper, else the next more expensive one.',
      }),
    ),
    prices: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object(
          {
            inputPerMTok: price,
            outputPerMTok: price,
            cacheReadPerMTok: Type.Optional(price),
            cacheWritePerMTok: Type.Optional(price),
            cacheWrite1hPerMTok: Type.Optional(price),
          },
          closed,
        ),
        {
          description:
            'USD per million tokens, by model; they replace those of `priceFile`. A model without a price costs nothing. Tokens read from or written to a cache cost `inputPerMTok` unless they have their own price. `cacheWrite1hPerMTok`, of caches that are kept for an hour, is 1.6 times `cacheWritePerMTok` by default, or twice `inputPerMTok`.',
        },
      ),
    ),
    limitField: Type.Optional(
      Type.Enum(['max_tokens', 'max_completion_tokens'], {
        description: 'Field of the openai format that limits the answer; `max_tokens` by default. Some models accept only the other.',
      }),
    ),
    maxOutputTokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description:
          'Most tokens of an answer to a call of the model endpoint that sets no limit itself: they are reserved, and are the limit where the wire needs one. Default: 32,000. Set it to the most that the models give.',
      }),
    ),
    requestsPerMinute: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Overrides `requestsPerMinute` for this provider.' }),
    ),
  },
  closed,
)
export type ProviderSettings = Omit<Infer<typeof providerSettings>, 'models'> & { readonly models?: Partial<Record<Tier, string>> }

/** Tokens of an answer whose client sets no limit, where the provider has no `maxOutputTokens`. */
const MAX_OUTPUT_TOKENS = 32_000

/** Public prices of vendors, next to both the sources and their build. */
export const bundledPrices = join(import.meta.dirname, '..', 'data', 'prices.json')

export const config = defineConfig(
  'providers',
  Type.Object(
    {
      providers: Type.Object(eachOf(PROVIDERS, providerSettings), { ...closed, default: {}, description: 'Configured providers.' }),
      chain: Type.Optional(
        Type.Array(Type.Enum(PROVIDERS), {
          uniqueItems: true,
          description: 'Failover order of the providers. Default: their order in `providers`.',
        }),
      ),
      runnerChain: Type.Optional(
        Type.Array(Type.Enum(PROVIDERS), { uniqueItems: true, description: 'Overrides `chain` for work of mode runner.' }),
      ),
      priceFile: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4_000,
          description:
            'JSON file of public prices, in place of the bundled one: `{vendors: [{vendor, source, asOf, models: {name: {inputPerMTok, outputPerMTok, …}}}]}`. Without vendors, only models with `prices` have a price.',
        }),
      ),
      routing: Type.Object(
        {
          order: Type.Enum(['chain', 'experience'], {
            default: 'chain',
            description:
              'Order of providers that have a model of the tier. `chain`: that of the chain. `experience`: the least price per successful call first; the failures of the last hours count.',
          }),
          default: Type.Optional(tier),
          agents: Type.Optional(Type.Record(Type.String(), tier, { description: 'Overrides the tier of an agent.' })),
          tools: Type.Optional(Type.Record(Type.String(), tier, { description: 'Tier of model calls made by a tool.' })),
          channels: Type.Optional(Type.Object(eachOf(CHANNEL_TYPES, tier), closed)),
        },
        { ...closed, default: {}, description: 'Overrides of the tables of routing_config.' },
      ),
      maxHops: Type.Integer({
        default: 3,
        minimum: 0,
        maximum: 10,
        description: 'Retries of a call after a transient failure: along the chain, then again from its start.',
      }),
      connectMs: Type.Integer({ default: 5_000, minimum: 50, maximum: 10_000, description: 'Timeout of connecting.' }),
      firstTokenMs: Type.Integer({ default: 60_000, minimum: 50, maximum: 600_000, description: 'Timeout until the answer begins.' }),
      idleMs: Type.Integer({ default: 60_000, minimum: 50, maximum: 600_000, description: 'Timeout between two parts of an answer.' }),
      totalMs: Type.Integer({
        default: 600_000,
        minimum: 100,
        maximum: 3_600_000,
        description:
          'Timeout of one attempt as a whole, and until an answer in one piece begins, as a provider sends it when it is complete.',
      }),
      maxAnswerBytes: Type.Integer({
        default: 8_388_608,
        minimum: 1_024,
        maximum: 67_108_864,
        description: 'Maximum size of one answer as received.',
      }),
      callsAtOnce: Type.Integer({
        default: 48,
        minimum: 1,
        maximum: 10_000,
        description: 'Concurrent calls of one provider; further ones wait. Keep it below `callsPerTenant` of the plugin outgoing.',
      }),
      maxWaiting: Type.Integer({
        default: 2_000,
        minimum: 0,
        maximum: 100_000,
        description: 'Calls that may wait for a provider; further ones are refused. One tenant takes at most half of the places.',
      }),
      maxWaitMs: Type.Integer({ default: 60_000, minimum: 0, maximum: 600_000, description: 'Time a call waits for a provider.' }),
      requestsPerMinute: Type.Integer({
        default: 6_000,
        minimum: 1,
        maximum: 1_000_000,
        description: 'Limit per provider; bursts of ten seconds’ worth are allowed.',
      }),
      failureThreshold: Type.Integer({
        default: 5,
        minimum: 1,
        maximum: 1_000,
        description: 'Consecutive failures that open the circuit breaker.',
      }),
      cooldownSeconds: Type.Integer({ default: 30, minimum: 1, maximum: 3_600, description: 'Time the circuit breaker stays open.' }),
    },
    closed,
  ),
)
export type Settings = Omit<Infer<(typeof config)['schema']>, 'providers'> & {
  readonly providers: Readonly<Partial<Record<ProviderName, ProviderSettings>>>
}

export const relayLimits = ({ limitField = 'max_tokens', maxOutputTokens = MAX_OUTPUT_TOKENS }: ProviderSettings): RelayLimits => ({
  limitField,
  maxOutputTokens,
})
