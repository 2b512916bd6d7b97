import type { Store } from '@gateway/storage'
import type { AgendaBackend } from 'agenda'
import { PortJobRepository } from './repository.ts'

/** agenda’s store is the gateway’s. The connection is the kernel’s to close; disconnecting gives back what is locked. */
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
