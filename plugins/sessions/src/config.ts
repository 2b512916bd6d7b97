import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'sessions',
  Type.Object(
    {
      retentionDays: Type.Integer({
        default: 180,
        minimum: 1,
        maximum: 3_650,
        description: 'Days a session is kept after its last message, or after it was closed.',
      }),
      silentMinutes: Type.Integer({
        default: 60,
        minimum: 1,
        maximum: 100_000,
        description: 'A session of a host that reported no step for as long counts as ended when another one begins in its repo.',
      }),
      answerSeconds: Type.Integer({
        default: 600,
        minimum: 1,
        maximum: 86_400,
        description: 'An agent that has not answered a message by then is told to end, and the message has failed.',
      }),
    },
    closed,
  ),
)
