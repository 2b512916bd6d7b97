import type { Metrics } from '@gateway/metrics'
import type { CollectionRef, DoctorFinding } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { FillableStore, RowReader } from '@gateway/storage'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'

export interface StoreParts {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly metrics?: Metrics
  /** Opens the target of a migration: it may be new, and keeps expired documents as the source has them. */
  readonly isCopy?: boolean
}

/** A finding of the check of a store; `of` names a part of it. */
export type StoreFinding = DoctorFinding & { readonly of?: string }

/**
 * A kind of database that the gateway can keep its data in. Each adapter exports one from a module that loads no driver, and
 * `@gateway/defaults` lists them; the commands know stores by this interface alone.
 */
export interface StoreKind {
  /** Name in backup manifests and in addresses of embedded stores: `sqlite`. */
  readonly name: string
  /** For people: `MongoDB`. */
  readonly title: string
  /** Form of its addresses, for help texts: `mongodb://…`. */
  readonly form: string
  /** Variable that chooses it; absent for the store that is used when no variable chooses another. */
  readonly variable?: string
  /** True if it is files of the data folder, which one gateway has for itself. */
  readonly isEmbedded: boolean
  isChosen(settings: Settings): boolean
  /** Host and database for people, without credentials; absent for an embedded store. */
  place?(settings: Settings): string
  /** Returns the settings with this store in place of theirs, or undefined for the address of another kind. */
  at(address: string, settings: Settings, cwd: string): Settings | undefined
  open(parts: StoreParts): Promise<FillableStore>
  /** Reads the store next to the services that work on it; undefined if it does not exist yet. */
  rows(settings: Settings): Promise<RowReader | undefined>
  /** Keeps every gateway away while it is held. Absent for a database server, which cannot be locked. */
  hold?(settings: Settings): Promise<{ release(): void }>
  /** Checks for `gateway doctor`. Only reads, so it may run beside the service. */
  check(settings: Settings, collections: readonly CollectionRef[]): Promise<readonly StoreFinding[]>
  readonly backup: StoreBackup
}

/** The gateway copies an embedded store itself, into a new folder, as of one moment; a server has its own tools. */
export type StoreBackup =
  | { copy(settings: Settings, folder: string): Promise<void> }
  | { readonly dumpTool: string; readonly restoreTool: string }
