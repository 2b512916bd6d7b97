import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectSchema } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { argumentsValidator, validateLeniently } from '@gateway/validation'

interface Property {
  readonly type?: unknown
  readonly format?: unknown
  readonly description?: string
}

/** A time, or the cursor of a page: the handler reads it, and would refuse a text of no characters. */
const READ = /\bISO\b|nextCursor|\bcursor\b of/

const operations = standardPlugins.flatMap(({ tools, routes }) => [...tools, ...routes])

test('a text of no characters for an optional time, cursor or other format is absent, in every tool and route', () => {
  const asked: string[] = []
  const taken = operations.flatMap(({ name, input }) => {
    const { properties = {}, required = [] } = input as { properties?: Record<string, Property>; required?: readonly string[] }
    const readable = Object.entries(properties).filter(
      ([argument, { type, format, description = '' }]) =>
        !required.includes(argument) && type === 'string' && (format !== undefined || READ.test(description)),
    )
    return readable.flatMap(([argument, property]) => {
      asked.push(`${name}.${argument}`)
      const schema = { type: 'object', properties: { [argument]: property }, additionalProperties: false } as ObjectSchema
      const valid = validateLeniently(argumentsValidator(schema), schema, { [argument]: '' })
      return argument in valid ? [`${name}.${argument}`] : []
    })
  })
  assert.deepEqual(taken, [])
  for (const known of ['recall_session.since', 'tasks_list.cursor', 'usage_summary.from', 'fleet_maintenance_enter.resumeAt']) {
    assert.ok(asked.includes(known), known)
  }
})
