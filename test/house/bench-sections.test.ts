import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSection } from '../../bench/sections.ts'

const REPORT = '# Benchmarks\n\nIntro.\n\n## Start\n\n423 ms.\n\n## Meters\n\nOld.\n'

test('a part that is measured by itself replaces its section of the report, or comes last', () => {
  const replaced = withSection(REPORT, '## Start\n\n400 ms.', 'Start', 'one core')
  assert.equal(replaced, '# Benchmarks\n\nIntro.\n\n## Start\n\nMeasured by itself: one core.\n\n400 ms.\n\n## Meters\n\nOld.\n')
  const added = withSection(REPORT, 'p99 3 ms.', 'Waiting calls', 'one core')
  assert.equal(added, `${REPORT}\n## Waiting calls\n\nMeasured by itself: one core.\n\np99 3 ms.\n`)
  assert.equal(withSection(added, 'p99 3 ms.', 'Waiting calls', 'one core'), added)
})
