import { closed, defineConfig, Type, tenantPlans } from '@gateway/sdk'

const cap = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description }))

/** Caps by the name of a plan, tenant, key label, agent, task, swarm or model. */
const caps = (description: string, propertyNames: object = { minLength: 1, maxLength: 200 }) =>
  Type.Record(
    Type.String(),
    Type.Object({ monthlyCapUsd: cap('Spending of a month (UTC).'), dailyCapUsd: cap('Spending of a day (UTC).') }, closed),
    { default: {}, maxProperties: 1_000, propertyNames, description },
  )

export const config = defineConfig(
  'budgets',
  Type.Object(
    {
      enabled: Type.Boolean({
        default: true,
        description: 'Off: spending is not recorded, calls are not refused, and spend shows as zero.',
      }),
      monthlyCapUsd: cap('Maximum spend of a tenant in a month (UTC).'),
      dailyCapUsd: cap('Maximum spend of a tenant in a day (UTC).'),
      downgradeAt: Type.Number({
        default: 0.8,
        minimum: 0,
        maximum: 1,
        description: 'Share of a cap from which calls use the next cheaper tier.',
      }),
      channels: Type.Record(
        Type.String({ minLength: 1, maxLength: 200 }),
        Type.Object(
          {
            monthlyCapUsd: Type.Number({
              minimum: 0,
              maximum: 1_000_000,
              description: 'Monthly cap of a tenant in this channel, in USD.',
            }),
          },
          closed,
        ),
        { default: {}, maxProperties: 100, description: 'Caps of individual channels, by name.' },
      ),
      plans: caps('Caps by plan. A cap of a plan applies to each of its tenants separately.', { enum: tenantPlans }),
      tenants: caps('Caps of single tenants, by id.', { pattern: '^[a-z0-9_-][a-z0-9._-]{0,63}$' }),
      keys: caps(
        'Caps by the label of the caller’s API key, in each tenant. The entry `*` is for each label without one; so it is for agents and models.',
      ),
      agents: caps('Caps by agent, in each tenant.'),
      tasks: caps(
        'Caps by the id of a task, in each tenant. The entry `*` is for each task without one. An id that the queue does not know has none.',
      ),
      swarms: caps('Caps by the id of a swarm, for all its tasks together. The entry `*` is for each swarm without one.'),
      models: caps('Caps by model, in each tenant.'),
      reservationMinutes: Type.Number({
        default: 2,
        minimum: 0.1,
        maximum: 1_440,
        description:
          'Minutes after which a call whose process died is charged by estimate and its held money is released. A running call renews its reservation.',
      }),
      keepDays: Type.Integer({ default: 400, minimum: 62, maximum: 4_000, description: 'Days for which spend is kept.' }),
    },
    closed,
  ),
)
