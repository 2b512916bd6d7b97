import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StoreKind } from '@gateway/kernel'
import type { Settings } from '@gateway/settings'
import { sync } from '@gateway/storage'

/** Name of the kind of store, and its place without credentials. */
interface Mark {
  readonly store: string
  readonly place: string
}

/** Backups, and moves to another folder, leave out what is in `process`: the mark is about this folder alone. */
const fileOf = (dataDir: string): string => join(dataDir, 'process', 'store.json')

/**
 * Marks a data folder whose gateway keeps its documents outside of it. A command or start that lacks the variable of that store
 * would otherwise take an embedded store from before a move for the gateway's own.
 */
export function markElsewhere({ name, place }: StoreKind, settings: Settings): void {
  const file = fileOf(settings.dataDir)
  const text = `${JSON.stringify({ store: name, place: place?.(settings) ?? '' } satisfies Mark)}\n`
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  sync(dirname(file))
}

/** Called when the embedded store of the folder has all documents again. */
export function unmark({ dataDir }: Settings): void {
  rmSync(fileOf(dataDir), { force: true })
}

export interface OtherStore {
  readonly detail: string
  readonly fix: string
}

/** Says where the documents of a data folder are, if not in it. */
export function elsewhere({ dataDir }: Settings, kinds: readonly StoreKind[]): OtherStore | undefined {
  const file = fileOf(dataDir)
  // Throws for a path that this user may not look at, which would otherwise count as missing.
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined
  const { store, place } = read(file)
  const kind = kinds.find(({ name }) => name === store)
  return {
    detail: `the gateway of ${dataDir} keeps its documents in ${kind?.title ?? store ?? 'another store'}${place ? ` (${place})` : ''}, and not in the embedded store`,
    fix: `Set ${kind?.variable ?? 'the variable that names it'}, as the service has it. To go back to the embedded store, without what was written since, remove ${file}.`,
  }
}

/** A mark that cannot be understood is one all the same. */
function read(file: string): Partial<Mark> {
  const text = readFileSync(file, 'utf8')
  try {
    return (JSON.parse(text) as Partial<Mark> | null) ?? {}
  } catch {
    return {}
  }
}

/** An embedded store that its folder’s gateway does not use: everything that would open or read it is refused. */
export function unused(kind: StoreKind, { detail, fix }: OtherStore): StoreKind {
  const refuse = async (): Promise<never> => {
    throw new Error(`${detail.charAt(0).toUpperCase()}${detail.slice(1)}. ${fix}`)
  }
  return {
    ...kind,
    open: refuse,
    rows: refuse,
    hold: refuse,
    check: async () => [{ outcome: 'fail', detail, fix }],
    backup: { copy: refuse },
  }
}
