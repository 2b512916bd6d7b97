import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageFaults } from '@gateway/pages'
import { standardPlugins } from '@gateway/standard'

test('the pages of all families have no fault', () => assert.deepEqual(pageFaults(standardPlugins), []))
