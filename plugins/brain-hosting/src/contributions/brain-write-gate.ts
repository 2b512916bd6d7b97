import { brainWriteGate } from '@gateway/plugin-brain/api'
import { contribute } from '@gateway/sdk'
import { pushLimiter } from '../services/push-limiter.ts'

export const writeGate = contribute(brainWriteGate, {
  uses: { pushLimiter },
  create: ({ pushLimiter }) => ({ check: ({ tenantId, bytes }) => pushLimiter.checkRoom(tenantId, bytes) }),
})
