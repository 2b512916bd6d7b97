import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HelperProcess, type Keep, type Waiting } from '../src/operations/helper-process.ts'
import { notReadYet } from '../src/operations/not-read-yet.ts'
import { folderOf } from './support.ts'

const SETTINGS = { idleSeconds: 300, heapMegabytes: 256, answerSeconds: 1 }
const QUESTION = { kind: 'neighbors', node: 'f0.ts', direction: 'out', types: ['import'] } as const
const NOTHING_KEPT: Keep = { load: async () => [], save: async () => {} }
const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`f${at}.ts`, `import './f${(at + 1) % 250}'`]))

test('the first graph of a repo tells how many of its files are read', async () => {
  await using folder = await folderOf(many)
  await using helper = new HelperProcess({ ...SETTINGS, answerSeconds: 60 })
  const seen: string[] = []
  const waiting: Waiting = { signal: new AbortController().signal, progress: (read, files) => void seen.push(`${read} of ${files}`) }
  await helper.ask(folder.root, QUESTION, NOTHING_KEPT, waiting)
  assert.deepEqual(seen, ['0 of 250', '100 of 250', '200 of 250'])
  await helper.ask(folder.root, QUESTION, NOTHING_KEPT, waiting)
  assert.equal(seen.length, 3)
})

test('a call that waited as long as it may is told how far the first graph is, and when to ask again', async () => {
  await using folder = await folderOf(many)
  await using helper = new HelperProcess(SETTINGS)
  const stopped: Keep = {
    ...NOTHING_KEPT,
    async load() {
      process.kill(helper.pid as number, 'SIGSTOP')
      return []
    },
  }
  const waiting: Waiting = { signal: new AbortController().signal, progress() {} }
  await assert.rejects(helper.ask(folder.root, QUESTION, stopped, waiting), {
    code: 'UNAVAILABLE',
    message: 'The code graph of this repo is still being built: its files are being listed. The work continues; try again.',
  })
  process.kill(helper.pid as number, 'SIGCONT')
  assert.match(notReadYet({ read: 200, files: 250 }).message, /: 200 of 250 files are read\. /)
})
