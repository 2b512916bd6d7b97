import { closed, defineTool, Type } from '@gateway/sdk'
import { heardOf, machineUses } from '../operations/machines.ts'
import { minutesSilent } from '../rules/lanes.ts'
import { defaults, Machine, thresholdMinutes } from '../schema.ts'

export const runnerLiveness = defineTool({
  name: 'runner_liveness',
  description:
    'Show which runner machines are alive and which are down, the latest heartbeat first. Returns {machines, alive}: alive as soon as one machine is.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/runners',
  input: Type.Object({ thresholdMinutes }, closed),
  output: Type.Object(
    {
      machines: Type.Array(
        Type.Object(
          {
            ...Machine.properties,
            ageMinutes: Type.Number({ description: 'Minutes since its last heartbeat.' }),
            down: Type.Boolean({ description: 'Its last heartbeat is older than the threshold.' }),
          },
          closed,
        ),
      ),
      alive: Type.Boolean(),
    },
    closed,
  ),
  uses: machineUses,
  async handle({ thresholdMinutes = defaults.thresholdMinutes }, refs) {
    const { now, machines } = await heardOf(refs)
    const rows = machines.map((machine) => {
      const ageMinutes = minutesSilent(machine, now)
      return { ...machine, ageMinutes, down: ageMinutes > thresholdMinutes }
    })
    return { machines: rows, alive: rows.some(({ down }) => !down) }
  },
})
