import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { familyAreas, standardPlugins } from '../src/index.ts'

test('each family is in one area, and the reference lists the areas', () => {
  const listed = familyAreas.flatMap(({ families }) => families)
  assert.deepEqual(listed.toSorted(), standardPlugins.map(({ id }) => id).toSorted())
  const reference = readFileSync(join(import.meta.dirname, '../../../docs/reference/tools.md'), 'utf8')
  for (const { title, families } of familyAreas) {
    const row = reference.split('\n').find((line) => line.startsWith(`| ${title} |`)) ?? ''
    for (const family of families) assert.ok(row.includes(`[${family}](#${family})`), `${title}: ${family}`)
  }
})
