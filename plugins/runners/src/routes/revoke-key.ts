import { taskId } from '@gateway/plugin-tasks/api'
import { closed, defineRoute, Type } from '@gateway/sdk'
import { taskKeys } from '../collections.ts'
import { claimId } from '../schema.ts'

export const revokeTaskKey = defineRoute({
  name: 'runners.revoke-key',
  description: 'Revoke the key that was issued for a claim. Returns {revoked}, false if there is none.',
  capability: 'work',
  effect: 'write',
  rest: 'DELETE /api/runners/task-keys/:taskId',
  input: Type.Object({ taskId, claimId }, closed),
  output: Type.Object({ revoked: Type.Boolean() }, closed),
  uses: { taskKeys },
  handle: async ({ taskId, claimId }, { taskKeys }) => ({ revoked: (await taskKeys.deleteOne(taskId, { claimId })) !== undefined }),
})
