import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CollectionRef } from '@gateway/sdk'
import type { Settings } from '../../settings/settings.ts'
import { type Finding, findings } from './finding.ts'

const MAKE_READABLE =
  'Make room on the disk, and give the folder `store` to the user who runs the service: SQLite needs both to read it. It may be sound.'
const RESTORE = 'Stop the gateway, keep a copy of the folder `store`, and restore the last `gateway backup`.'

/** Reads only, so it may run beside the service. */
export async function checkStore(settings: Settings, collections: readonly CollectionRef[]): Promise<readonly Finding[]> {
  const store = findings('store')
  if (settings.mongodbUrl !== undefined) return [store.ok('the MongoDB of MONGODB_URL; ask its own tools')]
  const path = join(settings.dataDir, 'store', 'gateway.db')
  if (!existsSync(path)) return [store.ok(`none yet; made at the first start at ${path}`)]
  const [{ checkIntegrity }, { loadDriver }, { isDamage }, { openReader }, { checkSchemaVersion }] = await Promise.all([
    import('../../storage/sqlite/index.ts'),
    import('../../storage/sqlite/driver.ts'),
    import('../../storage/sqlite/errors.ts'),
    import('../../storage/sqlite/open-database.ts'),
    import('../../storage/sqlite/schema.ts'),
  ])
  const checks: Finding[] = []
  try {
    const reader = openReader(await loadDriver(), path)
    try {
      checks.push(schema(() => checkSchemaVersion(reader, path)))
    } finally {
      reader.close()
    }
    const faults = await checkIntegrity(path, collections)
    const [first, ...more] = faults
    checks.push(
      first === undefined
        ? store.ok(`${path} is sound`)
        : store.fail(`${path}: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`, RESTORE),
    )
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    checks.push(store.fail(`${path} cannot be read: ${message}`, isDamage(error) ? RESTORE : MAKE_READABLE))
  }
  return checks
}

function schema(check: () => void): Finding {
  const { ok, fail } = findings('store schema')
  try {
    check()
    return ok('this version can read it')
  } catch (error) {
    return fail((error as Error).message, 'Run the version that wrote it, or choose another data folder.')
  }
}
