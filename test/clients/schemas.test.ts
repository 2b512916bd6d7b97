import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { publishedSchemas } from '../support/published-schemas.ts'
import { sampleValue } from '../support/sample-arguments.ts'
import { onPython } from './elsewhere.ts'

/** The list of `/mcp` repeats itself in the others. */
const LISTED = /^\/mcp(?:\/core)? /

test('Python, RE2, Rust and a model server’s constrained decoding compile the schema of every tool', { timeout: 600_000 }, async (t) => {
  const found = onPython('schemas.py', 'session-4')
  if ('missing' in found) return t.skip(found.missing)
  const tools = new Map(standardPlugins.flatMap(({ tools }) => tools.map((tool) => [tool.name, tool] as const)))
  const schemas = (await publishedSchemas())
    .filter(({ name }) => LISTED.test(name))
    .map(({ name, schema }) => ({ name, schema, sample: sampleValue(tools.get(name.split(' ')[1] ?? '')?.input ?? {}, false) }))
  assert.ok(schemas.length >= 189, `${schemas.length} schemas`)
  const [program = '', ...args] = found.command
  const { status, stdout, stderr } = spawnSync(program, args, { input: JSON.stringify(schemas), encoding: 'utf8', maxBuffer: 2 ** 26 })
  assert.equal(status, 0, stderr)
  assert.deepEqual(JSON.parse(stdout), [])
})
