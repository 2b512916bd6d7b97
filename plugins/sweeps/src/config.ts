import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'sweeps',
  Type.Object(
    {
      chatId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          env: 'DEFAULT_CHAT_ID',
          description: 'Default chat for reports.',
        }),
      ),
    },
    closed,
  ),
)
