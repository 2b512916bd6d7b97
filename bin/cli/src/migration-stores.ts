import { join } from 'node:path'
import { systemClock } from '@gateway/kernel'
import type { CollectionRef } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import { migrationMarks, type RowReader, type Store } from '@gateway/storage'
import { connectHere } from './client.ts'

export type Target = { readonly kind: 'mongodb'; readonly url: string } | { readonly kind: 'sqlite'; readonly dataDir: string }

interface Source {
  readonly rows: RowReader
  close(): Promise<void>
}

/** Opens the store that the settings name. `alone`: no service may be working on it, and none may start while it is open. */
export async function openSource(settings: Settings, alone: boolean, env: Readonly<Record<string, string | undefined>>): Promise<Source> {
  if (settings.mongodbUrl !== undefined) {
    // The gateway has no lock on MongoDB; a service of this machine can at least be asked.
    if (alone) await refuseRunning(env)
    const { mongoRows } = await import('@gateway/storage-mongodb')
    const rows = await mongoRows(settings.mongodbUrl)
    return { rows, close: () => rows.close() }
  }
  const [{ loadDriver, sqliteRows }, { lockFolder }] = await Promise.all([
    import('@gateway/storage-sqlite'),
    import('@gateway/storage-sqlite/lock'),
  ])
  const rows = await sqliteRows(settings.dataDir)
  if (!rows) throw new Error(`${settings.dataDir} has no store yet; check GATEWAY_DATA_DIR.`)
  try {
    const lock = alone ? lockFolder(await loadDriver(), join(settings.dataDir, 'store'), Date.now()) : undefined
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

async function refuseRunning(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const service = connectHere(env)
  const status = (await service.get('/status').catch(() => ({}))) as { name?: unknown }
  if (status.name === 'gateway')
    throw new Error(`A gateway answers at ${service.url}. Stop it, and every other one on this MongoDB, first.`)
}

interface Opened {
  readonly rows: RowReader
  readonly writer: Store
  close(): Promise<void>
}

/** `check` sees the existing contents before anything is written. */
export async function openTarget(
  target: Target,
  collections: readonly CollectionRef[],
  check: (rows: RowReader | undefined) => Promise<void>,
  trial: { readonly withoutTransactions?: boolean } = {},
): Promise<Opened> {
  const [{ mongoRows }, { sqliteRows }] = await Promise.all([import('@gateway/storage-mongodb'), import('@gateway/storage-sqlite')])
  const read = (): Promise<RowReader | undefined> => (target.kind === 'mongodb' ? mongoRows(target.url) : sqliteRows(target.dataDir))
  const before = await read()
  try {
    await check(before)
  } finally {
    await before?.close()
  }
  const writer = await openWriter(target, trial)
  try {
    await writer.prepare([...collections, migrationMarks])
    const rows = (await read()) as RowReader
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

async function openWriter(target: Target, trial: { readonly withoutTransactions?: boolean }): Promise<Store> {
  const common = { clock: systemClock, log: { warn() {} }, keepExpired: true }
  if (target.kind === 'mongodb') {
    const { openMongo } = await import('@gateway/storage-mongodb')
    return openMongo({ url: target.url, ...common, ...trial })
  }
  const { openSqlite } = await import('@gateway/storage-sqlite')
  return openSqlite({ dataDir: target.dataDir, newStore: true, ...common })
}
