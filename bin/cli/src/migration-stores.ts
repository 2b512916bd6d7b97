import { chosenStore, storeKinds } from '@gateway/defaults/stores'
import { type StoreKind, systemClock } from '@gateway/kernel'
import type { CollectionRef } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import { type FillableStore, migrationMarks, type RowReader } from '@gateway/storage'
import { connectHere } from './client.ts'

/** A store to copy to, with the settings that would choose it. */
export interface Target {
  readonly kind: StoreKind
  readonly settings: Settings
}

/** Returns the store at an address, or undefined if the address is of no kind. */
export function targetAt(address: string, settings: Settings, cwd: string): Target | undefined {
  for (const kind of storeKinds) {
    const at = kind.at(address, settings, cwd)
    if (at !== undefined) return { kind, settings: at }
  }
  return undefined
}

const VARIABLES = storeKinds.flatMap(({ variable }) => variable ?? []).join(' or ')

interface Source {
  readonly rows: RowReader
  close(): Promise<void>
}

/** Opens the store that the settings name. `alone`: no service may be working on it, and none may start while it is open. */
export async function openSource(settings: Settings, alone: boolean, env: Readonly<Record<string, string | undefined>>): Promise<Source> {
  const kind = chosenStore(settings)
  // A store that cannot be locked may have a service on this machine, which can at least be asked.
  if (alone && kind.hold === undefined) await refuseRunning(kind, env)
  const rows = await kind.rows(settings)
  if (!rows) throw new Error(`${settings.dataDir} has no store yet; check GATEWAY_DATA_DIR, and ${VARIABLES} if the gateway has one.`)
  try {
    const lock = alone ? await kind.hold?.(settings) : undefined
    return {
      rows,
      async close() {
        await rows.close()
        lock?.release()
      },
    }
  } catch (error) {
    await rows.close()
    throw error
  }
}

async function refuseRunning({ title }: StoreKind, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const service = connectHere(env)
  const status = (await service.get('/status').catch(() => ({}))) as { name?: unknown }
  if (status.name === 'gateway')
    throw new Error(`A gateway answers at ${service.url}. Stop it, and every other one on this ${title}, first.`)
}

interface Opened {
  readonly rows: RowReader
  readonly writer: FillableStore
  close(): Promise<void>
}

/** `check` sees the existing contents before anything is written. */
export async function openTarget(
  { kind, settings }: Target,
  collections: readonly CollectionRef[],
  check: (rows: RowReader | undefined) => Promise<void>,
): Promise<Opened> {
  const before = await kind.rows(settings)
  try {
    await check(before)
  } finally {
    await before?.close()
  }
  const writer = await kind.open({ settings, clock: systemClock, log: { warn() {} }, isCopy: true })
  try {
    await writer.prepare([...collections, migrationMarks])
    const rows = (await kind.rows(settings)) as RowReader
    return {
      rows,
      writer,
      async close() {
        await rows.close()
        await writer.close()
      },
    }
  } catch (error) {
    await writer.close()
    throw error
  }
}
