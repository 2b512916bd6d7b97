export { checkIntegrity } from './integrity.ts'
export { openSqlite, type SqliteOptions } from './open.ts'
export type { SqliteStore } from './store.ts'
