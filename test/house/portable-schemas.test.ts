import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { before, test } from 'node:test'
import type { RawRoute } from '@gateway/sdk'
import { portabilityFaults, schemasIn } from '@gateway/sdk/portable'
import { standardPlugins } from '@gateway/standard'
import { RE2JS } from 're2js'
import { type PublishedSchema, publishedSchemas } from '../support/published-schemas.ts'

let schemas: readonly PublishedSchema[]
let patterns: readonly string[]
before(async () => {
  schemas = await publishedSchemas()
  patterns = [...new Set(schemas.flatMap(patternsIn))]
})

function patternsIn({ schema }: PublishedSchema): string[] {
  return [...schemasIn(schema)].flatMap(([, { pattern, patternProperties }]) => [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...Object.keys(patternProperties ?? {}),
  ])
}

test('every view, the tool lists and the OpenAPI document publish schemas of the portable subset', () => {
  assert.ok(schemas.length > 500, `${schemas.length} schemas`)
  assert.ok(patterns.length > 10, `${patterns.length} patterns`)
  const faults = schemas.flatMap(({ name, schema, isInput }) =>
    portabilityFaults(schema, { input: isInput }).map((what) => `${name} ${what}`),
  )
  assert.deepEqual(faults, [])
})

test('no published schema has a keyword of the gateway’s own, or one that model servers refuse', () => {
  const refused = ['rule', 'env', 'secret', 'uniqueItems', 'propertyNames', 'if', 'dependentRequired', 'contains', 'unevaluatedProperties']
  const found = schemas.flatMap(({ name, schema }) =>
    [...schemasIn(schema)].flatMap(([at, one]) => refused.filter((keyword) => keyword in one).map((keyword) => `${name}${at}: ${keyword}`)),
  )
  assert.deepEqual(found, [])
})

test('every raw route of the standard distribution says what goes in and what comes out', () => {
  const raw = standardPlugins.flatMap(({ routes }) => routes.filter((route): route is RawRoute => 'raw' in route))
  assert.ok(raw.length > 0)
  assert.deepEqual(
    raw.filter(({ http }) => http === undefined).map(({ name }) => name),
    [],
  )
})

test('RE2 compiles every published pattern', () => {
  for (const pattern of patterns) assert.doesNotThrow(() => RE2JS.compile(pattern), pattern)
})

const python = spawnSync('python3', ['-c', 'import re']).status === 0 ? undefined : 'python3 is not there'
test(`Python compiles every published pattern${python ? ` (skipped: ${python})` : ''}`, { skip: python !== undefined }, () => {
  const compile = 'import json, re, sys\nfor pattern in json.load(sys.stdin): re.compile(pattern)'
  const { status, stderr } = spawnSync('python3', ['-W', 'error', '-c', compile], { input: JSON.stringify(patterns), encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})
