import { closed, defineConfig, Type } from '@gateway/sdk'

const enabled = Type.Optional(Type.Boolean({ default: true, description: 'false keeps the channel, and sends nothing to it.' }))

const timeOfDay = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM in UTC.' })

const ChatChannel = Type.Object(
  {
    kind: Type.Literal('chat_channel'),
    baseUrl: Type.String({ pattern: '^https?://', description: 'POST {baseUrl}/bot{token}/sendMessage takes its messages.' }),
    token: Type.String({ minLength: 1, secret: true, description: 'Of the bot.' }),
    chatId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Default: defaultChatId.' })),
    enabled,
  },
  closed,
)

const WebhookChannel = Type.Object(
  {
    kind: Type.Literal('webhook'),
    url: Type.String({ pattern: '^https?://', secret: true, description: 'Takes a POST of {title, message, level, source, at}.' }),
    enabled,
  },
  closed,
)

export const config = defineConfig(
  'notifications',
  Type.Object(
    {
      channels: Type.Record(Type.String(), Type.Union([ChatChannel, WebhookChannel]), {
        default: {},
        maxProperties: 32,
        propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
        description: 'Where notifications go, by a name of your own. The first chat channel is the one that a test goes to.',
      }),
      defaultChatId: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, env: 'DEFAULT_CHAT_ID', description: 'The chat of chat channels that name none.' }),
      ),
      timeoutSeconds: Type.Number({
        default: 10,
        exclusiveMinimum: 0,
        maximum: 60,
        description: 'The longest a channel may take for one notification.',
      }),
      perMinute: Type.Integer({
        default: 30,
        minimum: 1,
        maximum: 10_000,
        description: 'Notifications that one tenant may send, and alerts it may raise, within a minute; each is counted by itself.',
      }),
      alertAttempts: Type.Integer({
        default: 6,
        minimum: 1,
        maximum: 20,
        description: 'How often an alert is sent to a channel that does not take it: at once, after 30 s, and twice as long each time.',
      }),
      attention: Type.Object(
        {
          level: Type.Enum(['warning', 'error', 'off'], {
            default: 'warning',
            env: 'ATTENTION_ALERT_LEVEL',
            description:
              'Least level of the alerts about the attention queue: error only for what has stopped, warning also for what waits too long, off for none.',
          }),
          windowMinutes: Type.Number({
            default: 60,
            minimum: 0,
            maximum: 10_080,
            description: 'An item that leaves the attention queue and is back within this time raises no second alert.',
          }),
          quietHours: Type.Optional(
            Type.Object(
              { from: timeOfDay, to: timeOfDay },
              { ...closed, description: 'No alert about the attention queue is raised then; what still waits at the end is told.' },
            ),
          ),
        },
        { ...closed, default: {}, description: 'Alerts about items that enter the attention queue, or stay in it too long.' },
      ),
      historyLimit: Type.Integer({
        default: 1_000,
        minimum: 1,
        maximum: 100_000,
        description: 'Notifications kept per tenant; the oldest go first.',
      }),
      retentionDays: Type.Number({
        default: 90,
        exclusiveMinimum: 0,
        maximum: 3_650,
        description: 'Notifications older than this go as new ones come.',
      }),
    },
    closed,
  ),
)
