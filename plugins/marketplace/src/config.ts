import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'marketplace',
  Type.Object(
    {
      exposableCapabilities: Type.Array(Type.Enum(['read', 'work', 'configure', 'members', 'billing']), {
        default: ['read', 'work'],
        description: 'A manifest may declare the tools that take one of these capabilities. Tools of the operator never.',
      }),
      hiddenTools: Type.Array(Type.String(), {
        default: [],
        maxItems: 1_000,
        description: 'Tools that no manifest may declare all the same.',
      }),
      maxUnpublished: Type.Integer({
        default: 100,
        minimum: 1,
        maximum: 10_000,
        description: 'Versions of a tenant that are not published: each may hold an artifact of 8 MiB.',
      }),
      maxInstalls: Type.Integer({ default: 200, minimum: 1, maximum: 1_000, description: 'What a tenant may have installed.' }),
    },
    closed,
  ),
)
