import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as sdk from '@gateway/sdk'
import * as cron from '@gateway/sdk/cron'
import * as testing from '@gateway/testing'
import { sdkSurface } from '../../scripts/references/sdk.ts'

test('every name the SDK exports is in its reference', () => {
  for (const [entry, module] of Object.entries({ '@gateway/sdk': sdk, '@gateway/sdk/cron': cron, '@gateway/testing': testing })) {
    const known = new Set(sdkSurface().flatMap((one) => (one.entry === entry ? [one.name] : [])))
    assert.deepEqual(
      Object.keys(module).filter((name) => !known.has(name)),
      [],
      entry,
    )
  }
})

test('every name the SDK exports says what it is', () => {
  const silent = sdkSurface().filter(({ docs }) => docs === '')
  assert.deepEqual(
    silent.map(({ entry, name }) => `${entry} ${name}`),
    [],
  )
})
