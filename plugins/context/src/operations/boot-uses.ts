import { states } from '@gateway/plugin-state/api'
import { atomically, bootSection, shadowReport, toolbox } from '@gateway/sdk'
import { bootPart, bootRecall } from '../api.ts'
import { meters } from '../collections.ts'
import { config } from '../config.ts'

export const bootUses = {
  states,
  parts: bootPart,
  sections: bootSection,
  recalls: bootRecall,
  toolbox,
  roles: shadowReport,
  meters,
  config,
  atomically,
}
