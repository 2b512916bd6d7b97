import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import library from '../library.ts'
import readers from '../readers.ts'

test('a service answers, an event is heard, a contribution takes part', async () => {
  await using gateway = await startTestGateway({ plugins: [readers, library] })
  for (const title of ['Emma', 'Ulysses', 'Faust']) {
    await gateway.call('library_lend', { title, to: 'Ada' })
    // A stop waits for the listeners.
    await gateway.restart()
  }
  assert.deepEqual(await gateway.call('reader_of', { title: 'Emma' }), { reader: 'Ada' })
  await assert.rejects(gateway.call('library_lend', { title: 'Momo', to: 'Ada' }), {
    code: 'CONFLICT',
    message: 'Ada has three books already.',
  })
  await gateway.call('library_lend', { title: 'Momo', to: 'Grace' })
})

test('the library runs without readers, readers do not run without the library', async () => {
  await (await startTestGateway({ plugins: [library] })).stop()
  await assert.rejects(startTestGateway({ plugins: [readers] }), /no running plugin provides the service library\.books/)
})
