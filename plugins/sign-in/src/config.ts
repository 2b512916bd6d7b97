import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'sign-in',
  Type.Object(
    {
      sessionHours: Type.Integer({
        default: 12,
        minimum: 1,
        maximum: 720,
        description: 'Hours a browser stays signed in. The session ends earlier if its key ends.',
      }),
    },
    closed,
  ),
)
