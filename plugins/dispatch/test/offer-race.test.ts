import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '@gateway/testing'
import { subject } from '../../../kernel/storage/test/subject.ts'
import { offers } from '../src/collections.ts'
import { offer } from '../src/operations/offers.ts'

test('an offer of a task that another node claims before the offer is committed is taken back with its mail', async (t) => {
  const { store, dispose } = await subject({ clock: testClock() })
  t.after(dispose)
  await store.prepare([offers])
  const mail = new Set<string>()
  const task = { taskId: 'task-1', title: 'to do', repo: 'web', priority: 'P1', stage: 'ready' }
  let isClaimed = false
  const refs = {
    offers: store.collection(offers, 'local'),
    atomically: store.atomically('local'),
    // The transaction reads the task as it was at its beginning.
    queue: { get: async (_taskId: string, tx?: object) => (tx === undefined && isClaimed ? { ...task, stage: 'working' } : task) },
    mail: {
      postIn: async () => {
        mail.add('mail-1')
        return { messageId: 'mail-1' }
      },
      withdraw: async (messageId: string) => void mail.delete(messageId),
    },
  } as never
  const offering = { to: () => 'web', stands: () => false }
  assert.equal((await offer(refs, task as never, offering))?.messageId, 'mail-1')
  isClaimed = true
  assert.equal(await offer(refs, task as never, offering), undefined)
  assert.deepEqual([mail.size, await store.collection(offers, 'local').count()], [0, 0])
})
