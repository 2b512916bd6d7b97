import type { Gateway } from '@gateway/kernel'
import type { FastifyPluginAsync } from 'fastify'
import type { LoadShedder } from '../load-shedder.ts'
import { addDeepHealth } from './deep-health.ts'
import { addHealth } from './health.ts'
import { addReady } from './ready.ts'
import { addStatus } from './status.ts'

export const probes: FastifyPluginAsync<{ gateway: Gateway; shedder: Pick<LoadShedder, 'state'> }> = async (app, { gateway, shedder }) => {
  addHealth(app, gateway)
  addReady(app, gateway, shedder)
  addDeepHealth(app, gateway)
  addStatus(app, gateway)
}
