import { closed, defineConfig, Type } from '@gateway/sdk'

const MEBIBYTES = { minimum: 0, maximum: 1_073_741_824 } as const

export const config = defineConfig(
  'health',
  Type.Object(
    {
      alertsDisabled: Type.Boolean({
        default: false,
        env: 'HEALTH_ALERTS_DISABLED',
        description: 'Nothing is probed by itself, and nobody is alerted; health_alerts_run still says what it finds.',
      }),
      dedupMinutes: Type.Number({
        default: 60,
        exclusiveMinimum: 0,
        maximum: 10_080,
        description: 'A part that becomes unwell, well and unwell again within so long is told of once.',
      }),
      diskDegradedMiB: Type.Integer({ ...MEBIBYTES, default: 1_024, description: 'Less free space under the data folder is degraded.' }),
      diskUnhealthyMiB: Type.Integer({ ...MEBIBYTES, default: 128, description: 'Less than this is unhealthy.' }),
      containerSocket: Type.String({
        default: '',
        maxLength: 1_000,
        env: 'CONTAINER_RUNTIME_SOCKET',
        description:
          'Socket of the container runtime. Default: that of DOCKER_HOST, Docker or Podman, whichever is there; none is no fault.',
      }),
    },
    closed,
  ),
)
