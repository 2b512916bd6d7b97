import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'tenants',
  Type.Object(
    {
      firstKeyRole: Type.Enum(['viewer', 'member', 'admin', 'owner'], {
        default: 'owner',
        description: 'Role of a new tenant’s first key.',
      }),
    },
    closed,
  ),
)
