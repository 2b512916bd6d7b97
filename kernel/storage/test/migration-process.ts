/** Copies the store that some settings choose, in a process that can be killed: `migration-process.ts <settings as JSON> <target>`. */

import { copy } from '../src/migration/migrate.ts'
import { migrating } from './migration-fixture.ts'

const [settings, target] = process.argv.slice(2) as [string, string]
await migrating(JSON.parse(settings), target, false, (options) => {
  const { source } = options.sides
  // The parent counts the pages that the copy has read.
  const pages: typeof source.pages = async function* (...asked) {
    for await (const page of source.pages(...asked)) {
      process.send?.('page')
      yield page
    }
  }
  return copy({ ...options, sides: { ...options.sides, source: { ...source, pages } } })
})
process.disconnect?.()
