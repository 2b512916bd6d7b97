import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'marketplace',
  Type.Object(
    {
      exposableCapabilities: Type.Array(Type.Enum(['read', 'work', 'configure', 'members', 'billing']), {
        default: ['read', 'work'],
        description: 'A manifest may declare tools with one of these capabilities; never tools of the operator.',
      }),
      hiddenTools: Type.Array(Type.String(), {
        default: [],
        maxItems: 1_000,
        operationNames: 'gateway',
        description: 'Tools that no manifest may declare, whatever their capability.',
      }),
      maxUnpublished: Type.Integer({
        default: 100,
        minimum: 1,
        maximum: 10_000,
        description: 'Unpublished versions of a tenant; each may hold an artifact of 8 MiB.',
      }),
      maxInstalls: Type.Integer({
        default: 200,
        minimum: 1,
        maximum: 1_000,
        description: 'Maximum number of packages that a tenant may have installed.',
      }),
    },
    closed,
  ),
)
