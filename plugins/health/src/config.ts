import { closed, defineConfig, Type } from '@gateway/sdk'

const MEBIBYTES = { minimum: 0, maximum: 1_073_741_824 } as const

export const config = defineConfig(
  'health',
  Type.Object(
    {
      alertsDisabled: Type.Boolean({
        default: false,
        env: 'HEALTH_ALERTS_DISABLED',
        description: 'Switches regular checks and alerts off; health_alerts_run still reports its findings.',
      }),
      dedupMinutes: Type.Number({
        default: 60,
        exclusiveMinimum: 0,
        maximum: 10_080,
        description: 'Minutes within which a part that recovers and fails again raises only one alert.',
      }),
      diskDegradedMiB: Type.Integer({
        ...MEBIBYTES,
        default: 1_024,
        description: 'Less free space under the data folder counts as degraded.',
      }),
      diskUnhealthyMiB: Type.Integer({ ...MEBIBYTES, default: 128, description: 'Less free space counts as unhealthy.' }),
      containerSocket: Type.String({
        default: '',
        maxLength: 1_000,
        env: 'CONTAINER_RUNTIME_SOCKET',
        description:
          'Socket of the container runtime. Default: that of DOCKER_HOST, Docker or Podman, the first that exists; a missing one is no fault.',
      }),
    },
    closed,
  ),
)
