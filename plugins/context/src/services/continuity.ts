import { atomically, provide } from '@gateway/sdk'
import { continuity } from '../api.ts'
import { meters } from '../collections.ts'
import { recordBoot } from '../operations/record-boot.ts'

export const continuityProvider = provide(continuity, {
  uses: { meters, atomically },
  create: (uses, ctx) => ({ record: (boot) => recordBoot(boot, uses, ctx) }),
})
