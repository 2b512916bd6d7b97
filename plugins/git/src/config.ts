import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'git',
  Type.Object(
    {
      program: Type.String({
        default: 'git',
        minLength: 1,
        env: 'GATEWAY_GIT',
        description: 'The git to run: a name on the PATH, or an absolute path.',
      }),
      brains: Type.Optional(
        Type.String({
          minLength: 1,
          pattern: '^/',
          env: 'GATEWAY_BRAINS_DIR',
          description: 'Absolute folder of the tenants’ repositories; several nodes share one. Default: brains in the data folder.',
        }),
      ),
      idleSeconds: Type.Integer({
        default: 300,
        minimum: 1,
        maximum: 86_400,
        description: 'The helper process ends when nothing was asked of it for so long; the next use starts it.',
      }),
      heapMegabytes: Type.Integer({ default: 64, minimum: 32, maximum: 2_048, description: 'Heap of the helper process.' }),
    },
    closed,
  ),
)
