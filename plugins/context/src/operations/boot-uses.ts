import { states } from '@gateway/plugin-state/api'
import { atomically, bootSection, toolbox } from '@gateway/sdk'
import { bootPart, bootRecall } from '../api.ts'
import { meters } from '../collections.ts'

/** What a boot touches, whoever asks for it. */
export const bootUses = { states, parts: bootPart, sections: bootSection, recalls: bootRecall, toolbox, meters, atomically }
