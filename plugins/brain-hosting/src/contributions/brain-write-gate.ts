import { brainWriteGate } from '@gateway/plugin-brain/api'
import { contribute } from '@gateway/sdk'
import { desk } from '../services/desk.ts'

export const writeGate = contribute(brainWriteGate, {
  uses: { desk },
  create: ({ desk }) => ({ check: ({ tenantId, bytes }) => desk.checkRoom(tenantId, bytes) }),
})
