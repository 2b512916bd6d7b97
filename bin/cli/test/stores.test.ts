import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { chosenStore, embeddedStore, storeKinds, storeNamed } from '@gateway/defaults/stores'
import { loadSettings } from '@gateway/settings'
import { targetAt } from '../src/migration-stores.ts'

const settings = (env: Readonly<Record<string, string>> = {}) => loadSettings({ env: { GATEWAY_DATA_DIR: '/data', ...env }, cwd: '/' })

test('the commands know no store by name, so that another adapter needs no change of them', () => {
  const src = join(import.meta.dirname, '../src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  // The version of SQLite that Node brings is a fact about the machine.
  const naming = files.filter((file) =>
    /sqlite|mongo/i.test(readFileSync(join(src, file), 'utf8').replace(/^.*process\.versions.*$/gm, '')),
  )
  assert.deepEqual(naming, [])
})

test('the settings choose one kind of store, and an address belongs to one', () => {
  assert.equal(chosenStore(settings()), embeddedStore)
  assert.equal(chosenStore(settings({ MONGODB_URL: 'mongodb://db/gateway' })).name, 'mongodb')
  for (const kind of storeKinds) {
    assert.equal(storeNamed(kind.name), kind)
    assert.ok(kind.isEmbedded ? 'copy' in kind.backup && kind.hold !== undefined : 'dumpTool' in kind.backup && kind.variable !== undefined)
  }
  const addresses = ['mongodb://db/gateway', 'mongodb+srv://db/gateway', 'sqlite:./copy']
  assert.deepEqual(
    addresses.map((address) => targetAt(address, settings(), '/here')?.kind.name),
    ['mongodb', 'mongodb', 'sqlite'],
  )
  const target = targetAt('sqlite:./copy', settings({ MONGODB_URL: 'mongodb://db/gateway' }), '/here')
  assert.equal(target?.settings.dataDir, '/here/copy')
  assert.equal(chosenStore(target?.settings ?? settings()), embeddedStore, 'the target is read by its own settings')
  assert.equal(targetAt('postgres://db', settings(), '/here'), undefined)
})

test('the page for operators names the tools that dump and restore each store', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'operations.md'), 'utf8')
  const tools = storeKinds.flatMap(({ backup }) => ('dumpTool' in backup ? [backup.dumpTool, backup.restoreTool] : []))
  assert.deepEqual(tools, ['mongodump --oplog', 'mongorestore --oplogReplay'])
  for (const tool of tools) assert.ok(page.includes(`\`${tool}\``), tool)
})
