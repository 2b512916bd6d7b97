/** Copies the store that some settings choose, in a process that can be killed: `migration-process.ts <settings as JSON> <target>`. */

import { copy } from '../src/migration/migrate.ts'
import { migrating } from './migration-fixture.ts'

const [settings, target] = process.argv.slice(2) as [string, string]
await migrating(JSON.parse(settings), target, false, (options) => {
  process.send?.('begun')
  return copy(options)
})
process.disconnect?.()
