import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'sessions',
  Type.Object(
    {
      retentionDays: Type.Integer({
        default: 180,
        minimum: 1,
        maximum: 3_650,
        description: 'Days for which a session is kept after its last message, or after it was closed.',
      }),
      silentMinutes: Type.Integer({
        default: 60,
        minimum: 1,
        maximum: 100_000,
        description:
          'A session of an agent host that has reported no step for this long counts as ended when another one begins in its repo.',
      }),
      answerSeconds: Type.Integer({
        default: 600,
        minimum: 1,
        maximum: 86_400,
        description: 'Timeout of an agent’s answer; the agent is then cancelled, and the message has failed.',
      }),
    },
    closed,
  ),
)
