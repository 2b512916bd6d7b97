import { fleetPanel } from '@gateway/plugin-fleet/api'
import { contribute } from '@gateway/sdk'
import { heardOf, machineUses } from '../operations/machines.ts'
import { minutesSilent } from '../rules/lanes.ts'
import { defaults } from '../schema.ts'

export const runnersPanel = contribute(fleetPanel, {
  uses: machineUses,
  create: (refs) => ({
    name: 'runners',
    async figures() {
      const { now, machines } = await heardOf(refs)
      const down = machines.filter((machine) => minutesSilent(machine, now) > defaults.thresholdMinutes).length
      return { alive: machines.length - down, down }
    },
  }),
})
