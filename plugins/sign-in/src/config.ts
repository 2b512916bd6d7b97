import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'sign-in',
  Type.Object(
    {
      sessionHours: Type.Integer({
        default: 12,
        minimum: 1,
        maximum: 720,
        description: 'How long a browser stays signed in. A session ends sooner with the key it was begun with.',
      }),
    },
    closed,
  ),
)
