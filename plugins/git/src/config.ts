import { closed, defineConfig, Type } from '@gateway/sdk'
import { DEFAULT_LIMITS } from './rules/limits.ts'

const limit = (name: keyof typeof DEFAULT_LIMITS, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: DEFAULT_LIMITS[name], minimum, maximum, description })

export const config = defineConfig(
  'git',
  Type.Object(
    {
      program: Type.String({
        default: 'git',
        minLength: 1,
        env: 'GATEWAY_GIT',
        description: 'The git program: a name on the PATH, or an absolute path.',
      }),
      brains: Type.Optional(
        Type.String({
          minLength: 1,
          rule: { must: 'be an absolute path, such as /srv/brains', matches: '^/' },
          env: 'GATEWAY_BRAINS_DIR',
          description: 'Absolute folder of the tenants’ repositories; several nodes share one. Default: brains in the data folder.',
        }),
      ),
      idleSeconds: Type.Integer({
        default: 300,
        minimum: 1,
        maximum: 86_400,
        description: 'The helper process stops after this time without a request; the next use starts it again.',
      }),
      heapMegabytes: Type.Integer({ default: 64, minimum: 32, maximum: 2_048, description: 'Heap of the helper process.' }),
      limits: Type.Object(
        {
          memoryMegabytes: limit('memoryMegabytes', 64, 1_048_576, 'Memory of one git process that reads or writes a repository.'),
          cpuSeconds: limit('cpuSeconds', 10, 86_400, 'CPU time of one such process.'),
          pushMemoryMegabytes: limit('pushMemoryMegabytes', 32, 1_048_576, 'Memory of one git process that works on a push.'),
          pushCpuSeconds: limit('pushCpuSeconds', 1, 86_400, 'CPU time of one such process.'),
          transferSeconds: limit('transferSeconds', 1, 86_400, 'The longest a fetch or a push may take.'),
        },
        {
          ...closed,
          default: {},
          description: 'Limits of git processes. A process that exceeds one is killed, and its caller gets an error.',
        },
      ),
    },
    closed,
  ),
)
