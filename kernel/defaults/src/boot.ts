import { type Adapters, type BootedGateway, type BootOptions, boot as bootOn } from '@gateway/kernel'
import { adapters } from './adapters.ts'

/** Boots a gateway of the default parts, or of others in their place. */
export const boot = (options: BootOptions, others: Partial<Adapters> = {}): Promise<BootedGateway> =>
  bootOn({ ...adapters, ...others }, options)
