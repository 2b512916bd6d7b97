import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { root } from '../../scripts/workspaces.mjs'

const file = (name: string): string => readFileSync(join(root, 'docs/monitoring', name), 'utf8')

/** Names of metrics as expressions have them, without what a histogram adds to its own. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '""').replaceAll(/\bby \([^)]*\)/g, '')
  return [...bare.matchAll(/\b(?:gateway|mcp|gen_ai|http|nodejs|v8js|process)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  )
}

const known = new Set<string>()
before(async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  // What MCP measures is there once its face is.
  const { body } = await gateway.inject({ method: 'GET', url: '/metrics' })
  for (const [, name] of body.matchAll(/^# TYPE (\S+) /gm)) known.add(name as string)
})

test('every metric that the dashboard names exists', () => {
  const { panels } = JSON.parse(file('dashboard.json')) as { panels: { title: string; targets: { expr: string }[] }[] }
  const named = panels.flatMap(({ title, targets }) => targets.flatMap(({ expr }) => metricsIn(expr).map((name) => ({ title, name }))))
  assert.ok(named.length >= panels.length)
  assert.deepEqual(
    named.filter(({ name }) => !known.has(name)),
    [],
  )
})

test('every metric that the alert rules name exists, and each rule says what to do with it', () => {
  const rules = file('alerts.yml').split('- alert: ').slice(1)
  assert.ok(rules.length > 10)
  for (const rule of rules) {
    const [name = ''] = rule.split('\n')
    const expression = /expr: '(.*)'/.exec(rule)?.[1] ?? ''
    assert.deepEqual(
      metricsIn(expression).filter((metric) => !known.has(metric)),
      [],
      name,
    )
    for (const part of ['for:', 'severity:', 'summary:', 'description:']) assert.ok(rule.includes(part), `${name} has no ${part}`)
  }
})

test('the page of operations names no metric that does not exist', () => {
  const [, section = ''] = readFileSync(join(root, 'docs/operations.md'), 'utf8').split('## Metrics\n')
  const named = [
    ...(section.split('\n## ')[0] ?? '').matchAll(/`([a-z0-9_]+_(?:seconds|bytes|total|active|late|owing|connections|sessions|streams))`/g),
  ]
  assert.ok(named.length > 10)
  assert.deepEqual(
    named.map(([, name]) => name as string).filter((name) => !known.has(name)),
    [],
  )
})
