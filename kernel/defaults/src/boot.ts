import { type Adapters, type BootedGateway, type BootOptions, boot as bootOn } from '@gateway/kernel'
import { watched } from '@gateway/storage'
import { adapters } from './adapters.ts'
import { markStore } from './stores.ts'

export async function boot(options: BootOptions, others: Partial<Adapters> = {}): Promise<BootedGateway> {
  const gateway = await bootOn(watching({ ...adapters, ...others }), options)
  const { settings, log } = options
  try {
    markStore(settings)
  } catch (error) {
    log.warn({ err: error }, 'the data folder could not be marked: a start on it without the setting of the store would not be refused')
  }
  return gateway
}

/** Every store, whichever it is, tells of its changes and refuses writes for tenants that have ended. */
const watching = (parts: Adapters): Adapters => ({
  ...parts,
  openStore: async (given) => watched(await parts.openStore(given), given.isEnded),
})
