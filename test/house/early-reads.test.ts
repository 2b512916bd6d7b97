import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { filesUnder, root } from '../../scripts/workspaces.mjs'
import { earlyReads } from '../support/early-reads.ts'

/** Variables that a transaction uses although they were awaited before it, with the reason why another node cannot make them wrong. */
const HARMLESS: Readonly<Record<string, string>> = {
  'artifacts/src/tools/artifacts-register.ts gzip': 'computed from the arguments',
  'artifacts/src/tools/artifacts-register.ts measures': 'computed from the arguments',
  'brain/src/operations/sync.ts known': 'the transaction reads the branch again and compares its tip',
  'brain/src/operations/sync.ts goesOn': 'the transaction reads the branch again and compares its tip',
  'brain/src/tools/brain-observe.ts namespace': 'a name for the record',
  'brain/src/tools/brain-observe.ts branch': 'a name for the record: the branch that was current when the call came',
  'marketplace/src/operations/submit.ts manifest': 'computed from the arguments',
  'memory/src/operations/forget.ts beside': 'ids, each of which the transaction reads again',
  'memory/src/operations/prepare-words.ts changed': 'each is written only if it was not stored again since',
  'state/src/operations/handoffs.ts name': 'a name for the record',
  'state/src/operations/handoffs.ts place': 'a folder for the record',
  'swarms/src/operations/plan.ts repo': 'a name for the record',
  'tasks/src/jobs/claim-news.ts items': 'ids, each of which is changed only if its claim is still to be told',
}

test('a transaction decides by nothing that was read before it, where another node can have changed it since', () => {
  const found = new Set<string>()
  for (const { path } of filesUnder(join(root, 'plugins'))) {
    const file = relative(join(root, 'plugins'), path)
    if (!/^[^/]+\/src\/.*\.ts$/.test(file)) continue
    const source = readFileSync(path, 'utf8')
    if (source.includes('atomically(')) for (const { name } of earlyReads(path, source)) found.add(`${file} ${name}`)
  }
  assert.deepEqual([...found].sort(), Object.keys(HARMLESS).sort(), 'read it in the transaction, or say why its value cannot be wrong')
})

test('an early read is found through a pattern, and one inside of the transaction is none', () => {
  const source = `async function f(refs) {
    const { status: state } = await refs.tasks.get('a')
    const own = await refs.tasks.in(tx).get('b')
    await refs.atomically(async (tx) => {
      const now = await refs.tasks.in(tx).get('a')
      if (state === 'done' && now && own) await refs.tasks.in(tx).deleteOne('a')
    })
  }`
  assert.deepEqual(
    earlyReads('f.ts', source).map(({ name }) => name),
    ['state'],
  )
})
