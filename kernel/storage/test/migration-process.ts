/** Copies the store of a data folder to a MongoDB, in a process that can be killed: `migration-process.ts <folder> <url>`. */

import { copy } from '../src/migration/migrate.ts'
import { migrating } from './migration-fixture.ts'

const [dataDir, url] = process.argv.slice(2) as [string, string]
await migrating({ GATEWAY_DATA_DIR: dataDir }, url, false, copy)
