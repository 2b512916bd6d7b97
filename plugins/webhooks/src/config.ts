import { closed, defineConfig, Type } from '@gateway/sdk'

const within = (minimum: number, maximum: number, standard: number, description: string) =>
  Type.Integer({ minimum, maximum, default: standard, description })

export const config = defineConfig(
  'webhooks',
  Type.Object(
    {
      ports: Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), {
        default: [443, 8_443],
        description: 'Allowed ports of a receiver, except for one on this machine that the operator chooses.',
      }),
      perTenant: within(1, 100, 20, 'Webhooks that a tenant may have.'),
      atOncePerTenant: within(1, 100, 8, 'Deliveries of one tenant under way at the same time, one for each webhook.'),
      atOnce: within(1, 2_000, 256, 'Deliveries of all tenants under way at the same time.'),
      timeoutSeconds: within(1, 30, 10, 'How long a receiver may take for one delivery.'),
      maxPayloadBytes: within(1_024, 1_048_576, 65_536, 'Maximum size of a delivery; a larger one is sent without its `data`.'),
      maxWaiting: within(10, 100_000, 5_000, 'Deliveries that may wait for one receiver; with more of them its webhook is disabled.'),
      kept: within(1, 100_000, 1_000, 'Ended deliveries kept for each webhook, to look at and to replay; the oldest go first.'),
      retentionDays: Type.Number({
        default: 30,
        exclusiveMinimum: 0,
        maximum: 3_650,
        description: 'Days for which ended deliveries are kept.',
      }),
      giveUpAfterHours: within(
        1,
        720,
        72,
        'A delivery that fails for this long is given up; the webhook of a receiver that accepts nothing for this long is disabled.',
      ),
      codeHostingSecret: Type.Optional(
        Type.String({
          minLength: 16,
          maxLength: 500,
          secret: true,
          env: 'CODE_HOSTING_WEBHOOK_SECRET',
          description: 'Secret that signs the webhooks of code hosting. Without it they are refused.',
        }),
      ),
      maxInboundBytes: within(1_024, 26_214_400, 5_242_880, 'The most a webhook of code hosting may be.'),
      inboundAtOnce: within(1, 100, 16, 'Webhooks of code hosting that are read at the same time.'),
      inboundKept: within(10, 100_000, 5_000, 'Received webhooks of code hosting that are kept; a repetition of a kept one is ignored.'),
      inboundDays: Type.Number({
        default: 30,
        exclusiveMinimum: 0,
        maximum: 3_650,
        description: 'Received webhooks older than this are removed as new ones come.',
      }),
    },
    closed,
  ),
)
