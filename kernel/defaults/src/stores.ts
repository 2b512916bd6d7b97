import type { StoreKind } from '@gateway/kernel'
import type { Settings } from '@gateway/settings'
import { mongodbKind } from '@gateway/storage-mongodb/kind'
import { sqliteKind } from '@gateway/storage-sqlite/kind'
import { elsewhere, markElsewhere, unmark, unused } from './elsewhere.ts'

/** The embedded store is the last: it is for settings that choose no other. */
export const storeKinds: readonly StoreKind[] = [mongodbKind, sqliteKind]

export const embeddedStore: StoreKind = sqliteKind

/** The kind that the settings choose. An embedded store that the gateway of its folder has left cannot be used. */
export function chosenStore(settings: Settings): StoreKind {
  const kind = storeKinds.find((one) => one.isChosen(settings)) ?? embeddedStore
  const other = kind.isEmbedded ? elsewhere(settings, storeKinds) : undefined
  return other === undefined ? kind : unused(kind, other)
}

/** True if the settings choose a store in the data folder, and the documents of its gateway are there. */
export function hasDocuments(settings: Settings): boolean {
  return chosenStore(settings).isEmbedded && elsewhere(settings, storeKinds) === undefined
}

/** Keeps the data folder's mark, for a gateway that has started on the store of these settings. */
export function markStore(settings: Settings): void {
  const kind = chosenStore(settings)
  if (!kind.isEmbedded) markElsewhere(kind, settings)
}

/** Called for a target of a migration that has become complete. */
export function markMigrated(kind: StoreKind, settings: Settings): void {
  if (kind.isEmbedded) unmark(settings)
}

export const storeNamed = (name: string): StoreKind | undefined => storeKinds.find((kind) => kind.name === name)
