import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineResource } from '@gateway/sdk'
import fc from 'fast-check'
import { matchResource } from '../../src/registry/resources.ts'

const resource = (uri: string) => ({
  plugin: 'test',
  item: defineResource({ uri, name: 'r', description: 'A resource.', mimeType: 'text/plain', read: async () => [] }),
})
const variablesOf = (template: string, uri: string) => matchResource([resource(template)], uri)?.variables

test('a variable is a segment or a part of one, decoded; the first of several is the longest', () => {
  for (const [template, uri, variables] of [
    ['t://{id}', 't://7', { id: '7' }],
    ['t://{id}', 't://', undefined],
    ['t://{id}', 't://a/b', undefined],
    ['t://{id}', 't://a%2Fb%20c', { id: 'a/b c' }],
    ['t://{id}', 't://%', undefined],
    ['t://{id}/end', 't://7/end', { id: '7' }],
    ['t://{id}/end', 't://7/ends', undefined],
    ['t://{a}/{b}', 't://1/2', { a: '1', b: '2' }],
    ['t://{year}-{month}', 't://2026-11', { year: '2026', month: '11' }],
    ['t://{year}-{month}', 't://a-b-c', { year: 'a-b', month: 'c' }],
    ['t://{year}-{month}', 't://-', undefined],
    ['t://v{a}{b}.json', 't://v123.json', { a: '12', b: '3' }],
    ['t://v{a}{b}.json', 't://v1.json', undefined],
  ] as const) {
    assert.deepEqual(variablesOf(template, uri), variables, `${template} ${uri}`)
  }
})

test('an exact URI comes before a template', () => {
  const both = [resource('t://{id}'), resource('t://7')]
  assert.equal(matchResource(both, 't://7')?.resource.uri, 't://7')
  assert.equal(matchResource(both, 't://8')?.resource.uri, 't://{id}')
})

/** Expected match of a template, computed by an expression that tries everything. */
function expected(template: string, uri: string): object | undefined {
  const pattern = template.split(/(\{[a-z]\})/).map((part) => (part.startsWith('{') ? `(?<${part[1]}>[^/]+)` : part.replaceAll('.', '\\.')))
  const match = new RegExp(`^${pattern.join('')}$`).exec(uri)
  return match ? { ...match.groups } : undefined
}

test('whatever the template, a URI is taken apart as by trying everything', () => {
  const part = fc.constantFrom('a', '-', '.', '/', '-a')
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
  const template = fc.tuple(text, text, text, text).map(([a, b, c, d]) => `${a}{x}${b}{y}${c}{z}${d}`)
  fc.assert(
    fc.property(
      template,
      fc.oneof(
        text,
        fc.tuple(text, text, text).map((all) => all.join('')),
      ),
      (template, uri) => {
        assert.deepEqual(variablesOf(template, uri), expected(template, uri))
      },
    ),
    { numRuns: 1_000 },
  )
  // Generates texts that match their template.
  fc.assert(
    fc.property(
      template,
      fc.array(
        part.filter((one) => one !== '/'),
        { minLength: 3, maxLength: 3 },
      ),
      (template, [x = '', y = '', z = '']) => {
        const uri = template.replace('{x}', x).replace('{y}', y).replace('{z}', z)
        assert.deepEqual(variablesOf(template, uri), expected(template, uri))
      },
    ),
    { numRuns: 1_000 },
  )
})

test('a long URI that nearly fits takes no longer than to read it', () => {
  const long = `t://${'-'.repeat(500_000)}`
  assert.equal(variablesOf('t://{a}-{b}-{c}!', long), undefined)
  assert.equal(variablesOf('t://{a}-{b}-{c}/end', `${long}/`), undefined)
})
