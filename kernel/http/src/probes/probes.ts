import type { Gateway } from '@gateway/kernel'
import type { FastifyPluginAsync } from 'fastify'
import type { Door } from '../door.ts'
import { addDeepHealth } from './deep-health.ts'
import { addHealth } from './health.ts'
import { addReady } from './ready.ts'
import { addStatus } from './status.ts'

/** Endpoints for monitoring. */
export const probes: FastifyPluginAsync<{ gateway: Gateway; door: Pick<Door, 'state'> }> = async (app, { gateway, door }) => {
  addHealth(app, gateway)
  addReady(app, gateway, door)
  addDeepHealth(app, gateway)
  addStatus(app, gateway)
}
