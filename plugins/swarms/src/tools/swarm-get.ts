import { closed, defineTool, Type } from '@gateway/sdk'
import { readSwarm, settleUses } from '../operations/settle.ts'
import { swarmId, withChildren } from '../schema.ts'

export const swarmGet = defineTool({
  name: 'swarm_get',
  description:
    'Look at a swarm and how far each child is. An active swarm is done once its children are all done or in review, and active again when one is sent back. Returns {swarm, children}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/swarms/:swarmId',
  input: Type.Object({ swarmId }, closed),
  output: withChildren({}),
  uses: settleUses,
  handle: ({ swarmId }, refs) => readSwarm(refs, swarmId),
})
