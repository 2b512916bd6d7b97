import { type CallContext, gatewayWide, type Resolved } from '@gateway/sdk'
import { states } from '../collections.ts'
import { providerChanged } from './events.ts'
import { type Change, sharedState } from './shared-state.ts'

export const tellUses = { wide: gatewayWide(states), shared: sharedState, changed: providerChanged }

/** Write a change of this process down for the other nodes: at once where the caller may, else by way of an event, a turn later. */
export async function tell({ wide, shared, changed }: Resolved<typeof tellUses>, change: Change, ctx: CallContext): Promise<void> {
  shared.announce()
  if (ctx.holds('operator')) await shared.write(wide.writable(), change)
  else changed.emit(change)
}
