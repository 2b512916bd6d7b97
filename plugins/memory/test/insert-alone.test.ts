import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writingOf } from '../src/operations/store-chunks.ts'
import type { Call } from '../src/operations/uses.ts'
import { insertAlone } from '../src/operations/write.ts'
import { prepared } from '../src/rules/prepare.ts'

const at = new Date('2026-05-05T12:00:00.000Z')
const call = { tenantId: 'local', now: () => at, newId: (prefix: string) => `${prefix}id` } as unknown as Call

/** A collection that notes its writes, and whether each belongs to the transaction. */
function noting(found: readonly object[]) {
  const written: string[] = []
  const collection = (where: string) => ({
    get: async () => undefined,
    find: async () => ({ items: found }),
    insert: async ({ content }: { content: string }) => void written.push(`insert ${content} ${where}`),
    updateOne: async (_id: string, { set }: { set: object }) => void written.push(`update ${Object.keys(set)} ${where}`),
  })
  const records = { ...collection('alone'), in: () => collection('in the transaction') }
  const atomically = async (work: (tx: object) => Promise<unknown>) => {
    written.push('begin')
    await work({})
    written.push('commit')
  }
  return { written, uses: { records, atomically } as never }
}

test('a chunk of a session and the words that its predecessor gets are stored in one transaction', async () => {
  const first = prepared(writingOf({ content: 'first', sessionId: 's1' }, call, at, true))
  const { written, uses } = noting([first])
  assert.equal(await insertAlone(writingOf({ content: 'second', sessionId: 's1' }, call, at, true), uses, call), true)
  assert.deepEqual(written, ['begin', 'insert second in the transaction', 'update around in the transaction', 'commit'])
})

test('a chunk that follows no other is one write', async () => {
  const { written, uses } = noting([])
  await insertAlone(writingOf({ content: 'first', sessionId: 's1' }, call, at, true), uses, call)
  assert.deepEqual(written, ['insert first alone'])
})
