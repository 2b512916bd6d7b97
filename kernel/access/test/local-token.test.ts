import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '@gateway/testing'
import { openSecretHasher } from '../../core/src/secrets/secrets.ts'
import { subject } from '../../storage/test/subject.ts'
import { localTokens, openLocalToken } from '../src/local-token.ts'

test('gateways that start on an empty store at once all know the local token, and those that bring a new one know both', async (t) => {
  const clock = testClock()
  const { store, dataDir, dispose } = await subject({ clock })
  t.after(dispose)
  await store.prepare([localTokens])
  const parts = { store, hasher: openSecretHasher({ dataDir }), clock, graceMinutes: 5 }
  const opened = (token: string) => Promise.all([1, 2, 3].map(() => openLocalToken(token, parts)))

  for (const { matches } of await opened('the-first-token')) assert.deepEqual(['the-first-token', 'other'].map(matches), [true, false])

  const rotated = await opened('the-second-token')
  for (const { matches } of rotated) assert.deepEqual(['the-second-token', 'the-first-token', 'other'].map(matches), [true, true, false])
  clock.advance(5 * 60_000)
  for (const { matches } of rotated) assert.deepEqual(['the-second-token', 'the-first-token'].map(matches), [true, false])
})
