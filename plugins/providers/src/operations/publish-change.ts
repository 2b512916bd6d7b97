import { type CallContext, gatewayWide, type Resolved } from '@gateway/sdk'
import { states } from '../collections.ts'
import { providerChanged } from './events.ts'
import { type Change, sharedState } from './shared-state.ts'

export const publishUses = { wide: gatewayWide(states), shared: sharedState, changed: providerChanged }

/** Stores a change of this process for the other nodes: at once if the caller may, otherwise through an event, a turn later. */
export async function publishChange(
  { wide, shared, changed }: Resolved<typeof publishUses>,
  change: Change,
  ctx: CallContext,
): Promise<void> {
  shared.announce()
  if (ctx.holds('operator')) await shared.write(wide.writable(), change)
  else changed.emit(change)
}
