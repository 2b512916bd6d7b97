import { closed, defineConfig, type Infer, Type } from '@gateway/sdk'
import { CHANNEL_TYPES, PROVIDERS, type ProviderName, TIERS, type Tier } from './schema.ts'

const tier = Type.Enum(TIERS)

/** An optional property for each name. */
const eachOf = <const N extends string, S extends object>(names: readonly N[], schema: S) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(schema as never)])) as unknown as Record<
    N,
    ReturnType<typeof Type.Optional<S & ReturnType<typeof Type.Unknown>>>
  >

const price = Type.Number({ minimum: 0, maximum: 1_000_000 })

const providerSettings = Type.Object(
  {
    wire: Type.Enum(['openai', 'anthropic'], { description: 'POST {baseUrl}/chat/completions, or POST {baseUrl}/v1/messages.' }),
    baseUrl: Type.String({ pattern: '^https?://', maxLength: 2_000 }),
    apiKey: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000, description: 'Never shown. Name an environment variable in it.' })),
    models: Type.Optional(
      Type.Object(eachOf(TIERS, Type.String({ minLength: 1, maxLength: 200 })), {
        ...closed,
        description: 'The model of each tier; one that is not named has the next cheaper, else the next dearer one.',
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
          },
          closed,
        ),
        {
          description:
            'USD for a million tokens, by model. A model without a price costs nothing. Tokens read from a cache or written to one cost `inputPerMTok` unless they have a price.',
        },
      ),
    ),
    limitField: Type.Optional(
      Type.Enum(['max_tokens', 'max_completion_tokens'], {
        description: 'How the wire openai names the limit of an answer, `max_tokens` by default: some models take the other alone.',
      }),
    ),
    requestsPerMinute: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Of this provider in place of `requestsPerMinute`.' }),
    ),
  },
  closed,
)
export type ProviderSettings = Omit<Infer<typeof providerSettings>, 'models'> & { readonly models?: Partial<Record<Tier, string>> }

export const config = defineConfig(
  'providers',
  Type.Object(
    {
      providers: Type.Object(eachOf(PROVIDERS, providerSettings), { ...closed, default: {}, description: 'The providers there are.' }),
      chain: Type.Optional(
        Type.Array(Type.Enum(PROVIDERS), {
          uniqueItems: true,
          description: 'Who is asked first, and who next when that fails. Default: as `providers` has them.',
        }),
      ),
      runnerChain: Type.Optional(
        Type.Array(Type.Enum(PROVIDERS), { uniqueItems: true, description: 'In place of `chain` for work of the mode runner.' }),
      ),
      routing: Type.Object(
        {
          default: Type.Optional(tier),
          agents: Type.Optional(Type.Record(Type.String(), tier, { description: 'The tier of an agent, in place of its own.' })),
          tools: Type.Optional(Type.Record(Type.String(), tier, { description: 'The tier of what a tool asks for.' })),
          channels: Type.Optional(Type.Object(eachOf(CHANNEL_TYPES, tier), closed)),
        },
        { ...closed, default: {}, description: 'Changes to the tables of routing_config.' },
      ),
      maxHops: Type.Integer({
        default: 3,
        minimum: 0,
        maximum: 10,
        description: 'Further attempts of a call that failed in a way that may pass: along the chain, then from its start.',
      }),
      connectMs: Type.Integer({ default: 5_000, minimum: 50, maximum: 10_000, description: 'Until a connection is there.' }),
      firstTokenMs: Type.Integer({ default: 60_000, minimum: 50, maximum: 600_000, description: 'Until the answer begins.' }),
      idleMs: Type.Integer({ default: 60_000, minimum: 50, maximum: 600_000, description: 'Between two parts of an answer.' }),
      totalMs: Type.Integer({ default: 300_000, minimum: 100, maximum: 3_600_000, description: 'The whole of one attempt.' }),
      maxAnswerBytes: Type.Integer({
        default: 8_388_608,
        minimum: 1_024,
        maximum: 67_108_864,
        description: 'All that comes of one answer, as it comes.',
      }),
      callsAtOnce: Type.Integer({
        default: 48,
        minimum: 1,
        maximum: 10_000,
        description: 'Calls of one provider at the same time; more wait. Keep it below `callsPerTenant` of the plugin outgoing.',
      }),
      maxWaiting: Type.Integer({
        default: 2_000,
        minimum: 0,
        maximum: 100_000,
        description: 'Calls that wait for a provider; more are refused. A tenant has at most half of the places.',
      }),
      maxWaitMs: Type.Integer({ default: 60_000, minimum: 0, maximum: 600_000, description: 'How long a call waits for a provider.' }),
      requestsPerMinute: Type.Integer({
        default: 6_000,
        minimum: 1,
        maximum: 1_000_000,
        description: 'Of one provider; ten seconds’ worth may come at once.',
      }),
      failureThreshold: Type.Integer({ default: 5, minimum: 1, maximum: 1_000, description: 'Failures in a row that open its breaker.' }),
      cooldownSeconds: Type.Integer({ default: 30, minimum: 1, maximum: 3_600, description: 'How long the breaker stays open.' }),
    },
    closed,
  ),
)
export type Settings = Omit<Infer<(typeof config)['schema']>, 'providers'> & {
  readonly providers: Readonly<Partial<Record<ProviderName, ProviderSettings>>>
}
