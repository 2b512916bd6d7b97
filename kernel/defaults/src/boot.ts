import { type Adapters, type BootedGateway, type BootOptions, boot as bootOn } from '@gateway/kernel'
import { watched } from '@gateway/storage'
import { adapters } from './adapters.ts'

export const boot = (options: BootOptions, others: Partial<Adapters> = {}): Promise<BootedGateway> =>
  bootOn(watching({ ...adapters, ...others }), options)

/** Every store, whichever it is, tells of its changes and refuses writes for tenants that have ended. */
const watching = (parts: Adapters): Adapters => ({
  ...parts,
  openStore: async (given) => watched(await parts.openStore(given), given.isEnded),
})
