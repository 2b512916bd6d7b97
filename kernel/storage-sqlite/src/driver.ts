/** The part of `node:sqlite`, and of its equal for older runtimes, `@photostructure/sqlite`, that the adapter needs. */
export type SqlValue = string | number | null | Uint8Array
export type Row = Readonly<Record<string, unknown>>
export interface Statement {
  get(...params: readonly SqlValue[]): Row | undefined
  all(...params: readonly SqlValue[]): Row[]
  iterate(...params: readonly SqlValue[]): Iterable<Row>
  run(...params: readonly SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
}
export interface Database {
  prepare(sql: string): Statement
  exec(sql: string): void
  close(): void
}
export interface Driver {
  readonly name: string
  readonly sqliteVersion: string
  open(path: string, options?: { readonly readOnly?: boolean; readonly timeout?: number }): Database
}

interface DriverModule {
  readonly DatabaseSync: new (path: string, options?: { readOnly?: boolean; timeout?: number }) => Database
}

/** Older versions can corrupt a WAL database that two connections write and checkpoint at once. */
const OLDEST = '3.51.3'

/** Below this version Node.js calls its own SQLite experimental and prints that at every start. */
const EXPERIMENTAL_UNTIL = '24.0.0'

/** The runtime's own SQLite if it is stable and new enough, otherwise `@photostructure/sqlite`. */
export async function loadDriver(): Promise<Driver> {
  const isStable = isRecent(process.versions.node, EXPERIMENTAL_UNTIL)
  const builtin = isStable ? (process.getBuiltinModule('node:sqlite') as DriverModule | undefined) : undefined
  if (builtin) {
    const driver = asDriver('node:sqlite', builtin)
    if (isRecent(driver.sqliteVersion)) return driver
  }
  const bundled = asDriver('@photostructure/sqlite', (await import('@photostructure/sqlite')) as unknown as DriverModule)
  if (isRecent(bundled.sqliteVersion)) return bundled
  throw new Error(
    `The embedded store needs SQLite ${OLDEST} or newer; ${bundled.name} has ${bundled.sqliteVersion}. Update the package, or use a newer Node.`,
  )
}

function asDriver(name: string, { DatabaseSync }: DriverModule): Driver {
  const probe = new DatabaseSync(':memory:')
  const sqliteVersion = probe.prepare('select sqlite_version() as version').get()?.version as string
  probe.close()
  return { name, sqliteVersion, open: (path, options = {}) => new DatabaseSync(path, options) }
}

export function isRecent(version: string, oldest = OLDEST): boolean {
  const [a, b] = [version, oldest].map((text) => text.split('.').map(Number))
  for (let i = 0; i < 3; i++) {
    const difference = (a?.[i] ?? 0) - (b?.[i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}
