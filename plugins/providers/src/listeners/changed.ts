import { gatewayWide, on } from '@gateway/sdk'
import { states } from '../collections.ts'
import { providerChanged } from '../operations/events.ts'
import { sharedState } from '../operations/shared-state.ts'

export const heard = on(providerChanged, {
  uses: { wide: gatewayWide(states), shared: sharedState },
  handle: (change, { wide, shared }) => shared.write(wide.writable(), change),
})
