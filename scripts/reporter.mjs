/**
 * A test reporter for people and CI alike: a dot per test, each failure in full, the totals last. The failed files are written
 * to the file that FAILED_FILES names, for a second run.
 */

import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { inspect } from 'node:util'

export default async function* report(events) {
  const failures = []
  const totals = []
  let column = 0
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic' && data.nesting === 0 && /^(tests|pass|fail|cancelled|skipped|duration_ms) /.test(data.message)) {
      totals.push(`# ${data.message}\n`)
    }
    if (type === 'test:stderr') yield data.message
    if (type !== 'test:pass' && type !== 'test:fail') continue
    yield `${type === 'test:pass' ? '.' : 'X'}${++column % 100 === 0 ? '\n' : ''}`
    // A test that failed only because a test within it did has no message of its own.
    if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') failures.push(data)
  }
  yield '\n'
  for (const { name, file, details } of failures) {
    const at = file ? ` (${relative(process.cwd(), file)})` : ''
    yield `\nFAILED ${name}${at}\n${inspect(details.error.cause ?? details.error, { depth: 6 })}\n`
  }
  yield `\n${totals.join('')}`
  const { FAILED_FILES: list } = process.env
  if (list) writeFileSync(list, JSON.stringify([...new Set(failures.map(({ file }) => (file ? relative(process.cwd(), file) : '')))]))
}
