import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { HeldBack } from '../src/operations/held-back.ts'

test('what is said before goes through at once; what follows waits until it is settled', async () => {
  let settled = (): void => {}
  const stream = new HeldBack(() => new Promise((resolve) => (settled = resolve)))
  const said: string[] = []
  stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  stream.write('remote: checking')
  stream.hold()
  stream.write('unpack ok ')
  stream.end('main ok')
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(said, ['remote: checking'])
  settled()
  await new Promise((resolve) => stream.once('end', resolve))
  assert.deepEqual(said, ['remote: checking', 'unpack ok main ok'])
})

test('nothing is settled where nothing is held back, and a failure ends the answer', async () => {
  const fails = () => Promise.reject(new Error('the disk'))
  const open = new HeldBack(fails)
  open.end('refused')
  assert.equal(await text(open), 'refused')
  const held = new HeldBack(fails)
  held.hold()
  held.end('ok')
  await assert.rejects(text(held), /the disk/)
})
