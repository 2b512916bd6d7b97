import type { StoreKind } from '@gateway/kernel'
import type { Settings } from '@gateway/settings'
import { mongodbKind } from '@gateway/storage-mongodb/kind'
import { sqliteKind } from '@gateway/storage-sqlite/kind'

/** The embedded store is the last: it is for settings that choose no other. */
export const storeKinds: readonly StoreKind[] = [mongodbKind, sqliteKind]

export const embeddedStore: StoreKind = sqliteKind

export const chosenStore = (settings: Settings): StoreKind => storeKinds.find((kind) => kind.isChosen(settings)) ?? embeddedStore

export const storeNamed = (name: string): StoreKind | undefined => storeKinds.find((kind) => kind.name === name)
