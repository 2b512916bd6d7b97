import { closed, defineTool, Type } from '@gateway/sdk'
import { artifacts } from '../collections.ts'
import { artifactSchema } from '../schema.ts'

/** A task with more artifacts is shown its newest. */
const MAX_ROWS = 1_000

export const artifactsList = defineTool({
  name: 'artifacts_list',
  description: `List the files (logs, diffs, reports) saved for a task, without their content, newest last; of more than ${MAX_ROWS} the newest. Returns their metadata.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/artifacts',
  input: Type.Object({ taskId: Type.String({ minLength: 1, maxLength: 200, description: 'Task that made them.' }) }, closed),
  output: Type.Object({ artifacts: Type.Array(artifactSchema) }, closed),
  uses: { artifacts },
  async handle({ taskId }, { artifacts }) {
    const { items } = await artifacts.find({ where: { taskId }, sort: { artifactId: -1 }, limit: MAX_ROWS })
    return { artifacts: [...items].reverse() }
  },
})
