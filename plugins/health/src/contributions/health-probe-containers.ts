import { contribute, healthProbe } from '@gateway/sdk'
import { config } from '../config.ts'
import { containerRuntime } from '../operations/container-runtime.ts'

export const containersProbe = contribute(healthProbe, {
  uses: { config },
  create: ({ config }) => ({ name: 'containers', check: () => containerRuntime(config.containerSocket) }),
})
