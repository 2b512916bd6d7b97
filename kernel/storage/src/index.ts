export { afterPrefix } from './after-prefix.ts'
export { applyUpdate, UPDATED_AT } from './apply-update.ts'
export { compareValues } from './compare.ts'
export { eachCondition, type Operator } from './conditions.ts'
export { decodeCursor, encodeCursor, type Position } from './cursor.ts'
export {
  acrossIndex,
  acrossName,
  cannotBeUnique,
  type Declaration,
  type DeclaredIndex,
  declarationFault,
  declarationOf,
  isUniqueIndex,
} from './declaration.ts'
export { badField, checkField, type Doc, documentId, isText, type Scalar, toJson } from './documents.ts'
export { partHasWords } from './has-words.ts'
export {
  type Answer,
  type CallCommit,
  CallKeys,
  callKeys,
  effectsBeyondCommit,
  KeyInProgress,
  KeyReused,
  LONG_TEXTS,
  type Replay,
  withdrawAnswers,
} from './idempotency/index.ts'
export { KERNEL_TENANT } from './kernel-tenant.ts'
export { checkBytes, checkDocuments, checkIds, checkLimit, MAX_COLLECTIONS } from './limits.ts'
export { asciiLower, matches } from './matches.ts'
export { migrationMarks, refuseUnfinishedCopy } from './migration/mark.ts'
export { checkTarget, copy, finish, undeclared } from './migration/migrate.ts'
export type { Comparison } from './migration/pass.ts'
export { firstRow, type Place, ROWS_PER_PAGE, type Row, type RowReader, rowsOf } from './migration/rows.ts'
export { OpenTransaction } from './open-transaction.ts'
export { PageRows } from './page-rows.ts'
export type { Announce, Changes, FillableStore, PrepareReport, Store, StoreHealth } from './port.ts'
export { MAX_SEARCHED, preparedSearch, preparedWords, searchWords } from './search-words.ts'
export { sharedWith } from './shared.ts'
export { type SortKey, totalOrder } from './sort.ts'
export { isStoreTime, resolveTime } from './store-time.ts'
export { sync } from './sync.ts'
export { tenantDeleted } from './tenant-deleted.ts'
export { type TenantDocuments, tenantDocuments } from './tenant-documents.ts'
export { watched } from './watched.ts'
