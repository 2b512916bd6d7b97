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
          description: 'The chat that reports go to when a call names none.',
        }),
      ),
    },
    closed,
  ),
)
