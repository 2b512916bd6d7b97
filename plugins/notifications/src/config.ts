import { closed, defineConfig, httpAddress, Type } from '@gateway/sdk'

const enabled = Type.Optional(Type.Boolean({ default: true, description: 'false keeps the channel, but sends nothing to it.' }))

const timeOfDay = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM.' })

const ChatChannel = Type.Object(
  {
    kind: Type.Literal('chat_channel'),
    baseUrl: Type.String({ rule: httpAddress, description: 'Messages are sent to POST {baseUrl}/bot{token}/sendMessage.' }),
    token: Type.String({ minLength: 1, secret: true, description: 'Token of the bot.' }),
    chatId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Default: defaultChatId.' })),
    enabled,
  },
  closed,
)

const WebhookChannel = Type.Object(
  {
    kind: Type.Literal('webhook'),
    url: Type.String({ rule: httpAddress, secret: true, description: 'Receives a POST of {title, message, level, source, at}.' }),
    enabled,
  },
  closed,
)

/** A kind that another plugin contributes checks its settings itself. */
const OtherChannel = Type.Object(
  {
    kind: Type.String({
      pattern: '^(?!chat_channel$|webhook$)[a-z][a-z0-9_]{0,39}$',
      description: 'A kind of channel that another plugin contributes.',
    }),
    settings: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { secret: true, description: 'Described by the plugin that contributes the kind.' }),
    ),
    enabled,
  },
  closed,
)

export const config = defineConfig(
  'notifications',
  Type.Object(
    {
      channels: Type.Record(Type.String(), Type.Union([ChatChannel, WebhookChannel, OtherChannel]), {
        default: {},
        maxProperties: 32,
        propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
        description: 'Notification channels, by names of your choice. A test goes to the first chat channel.',
      }),
      defaultChatId: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, env: 'DEFAULT_CHAT_ID', description: 'Default chat of chat channels.' }),
      ),
      timeoutSeconds: Type.Number({
        default: 10,
        exclusiveMinimum: 0,
        maximum: 60,
        description: 'Timeout of a channel for one notification.',
      }),
      perMinute: Type.Integer({
        default: 30,
        minimum: 1,
        maximum: 10_000,
        description: 'Notifications that one tenant may send, and alerts it may raise, per minute; each is counted separately.',
      }),
      alertAttempts: Type.Integer({
        default: 6,
        minimum: 1,
        maximum: 20,
        description:
          'Number of attempts to send an alert to a channel that fails: at once, after 30 s, then after twice the previous delay.',
      }),
      attention: Type.Object(
        {
          level: Type.Enum(['warning', 'error', 'off'], {
            default: 'warning',
            env: 'ATTENTION_ALERT_LEVEL',
            description:
              'Minimum level of alerts about the attention queue: error only for items that have stopped, warning also for items that wait too long, off for none.',
          }),
          windowMinutes: Type.Number({
            default: 60,
            minimum: 0,
            maximum: 10_080,
            description: 'An item that leaves the attention queue and returns within this time raises no second alert.',
          }),
          quietHours: Type.Optional(
            Type.Object(
              {
                from: timeOfDay,
                to: timeOfDay,
                timeZone: Type.Optional(
                  Type.String({
                    minLength: 1,
                    maxLength: 100,
                    default: 'UTC',
                    description: 'Name of the time zone, such as Europe/Berlin.',
                  }),
                ),
              },
              {
                ...closed,
                description: 'Quiet hours without alerts about the attention queue; items that still wait at the end are then reported.',
              },
            ),
          ),
        },
        { ...closed, default: {}, description: 'Alerts about items that enter the attention queue or stay in it too long.' },
      ),
      historyLimit: Type.Integer({
        default: 1_000,
        minimum: 1,
        maximum: 100_000,
        description: 'Notifications kept per tenant; the oldest are removed first.',
      }),
      retentionDays: Type.Number({
        default: 90,
        exclusiveMinimum: 0,
        maximum: 3_650,
        description: 'Notifications older than this are removed as new ones come.',
      }),
    },
    closed,
  ),
)
