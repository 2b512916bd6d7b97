import { closed, defineConfig, serverAddress, Type } from '@gateway/sdk'

const megabytes = (fallback: number, plan: string) =>
  Type.Integer({ default: fallback, minimum: 1, description: `Size limit of a brain on the plan ${plan}, in megabytes.` })

export const config = defineConfig(
  'brain-hosting',
  Type.Object(
    {
      publicUrl: Type.Optional(
        Type.String({
          rule: serverAddress,
          env: 'GATEWAY_PUBLIC_URL',
          description: 'Address at which clients reach this gateway, without a path. Default: the address it listens on.',
        }),
      ),
      quotaMegabytes: Type.Object(
        { free: megabytes(100, 'free'), solo: megabytes(1_024, 'solo'), team: megabytes(5_120, 'team'), scale: megabytes(20_480, 'scale') },
        { ...closed, default: {}, description: 'Size limits of a brain by plan.' },
      ),
    },
    closed,
  ),
)
