import type { Store } from '@gateway/storage'
import type { AgendaBackend } from 'agenda'
import { PortJobRepository } from './repository.ts'

/** agenda's backend on the gateway's store. The kernel closes the connection; disconnecting releases the locks. */
export class PortBackend implements AgendaBackend {
  readonly name: string
  readonly repository: PortJobRepository
  readonly ownsConnection = true

  constructor(store: Store) {
    this.name = store.kind
    this.repository = new PortJobRepository(store)
  }

  async connect(): Promise<void> {}

  disconnect(): Promise<void> {
    return this.repository.close()
  }
}
