import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { cycleFaults } from '../../scripts/import-rules/cycles.ts'
import { coreFault, rules, violations } from '../../scripts/import-rules.ts'
import { root } from '../../scripts/workspaces.mjs'

/** A repository of the same shape, with violations of the rules. */
const house = {
  'package.json': '{ "workspaces": ["sdk", "kernel/*", "bin/*", "plugins/*"] }',
  'sdk/package.json': '{ "name": "@gateway/sdk" }',
  'kernel/core/package.json':
    '{ "name": "@gateway/kernel", "dependencies": { "@gateway/sdk": "*", "@gateway/storage": "*", "@gateway/http": "*", "@gateway/plugin-a": "*" } }',
  'kernel/http/package.json': '{ "name": "@gateway/http", "dependencies": { "@gateway/kernel": "*", "fastify": "*", "pino": "*" } }',
  'kernel/mcp/package.json':
    '{ "name": "@gateway/mcp", "dependencies": { "fastify": "*" }, "devDependencies": { "@modelcontextprotocol/sdk": "*" } }',
  'bin/cli/package.json': '{ "name": "@gateway/cli", "dependencies": { "@modelcontextprotocol/client": "*" } }',
  'plugins/a/package.json':
    '{ "name": "@gateway/plugin-a", "dependencies": { "@gateway/sdk": "*", "@gateway/plugin-b": "*", "pino": "*" } }',
  'plugins/b/package.json': '{ "name": "@gateway/plugin-b" }',
  'plugins/standard/package.json': '{ "name": "@gateway/standard", "dependencies": { "@gateway/plugin-a": "*" } }',
}

const breaches: readonly { file: string; text: string; rule: RegExp }[] = [
  { file: 'kernel/core/src/boot.ts', text: "import a from '@gateway/plugin-a'", rule: /the kernel knows no plugin/ },
  { file: 'kernel/core/src/boot.ts', text: "const a = await import('@gateway/plugin-a')", rule: /the kernel knows no plugin/ },
  { file: 'kernel/core/src/boot.ts', text: "import {\n  a,\n} from '../../../plugins/a/src/index.ts'", rule: /the kernel knows no plugin/ },
  { file: 'sdk/src/tool.ts', text: "import type { Gateway } from '@gateway/kernel'", rule: /the sdk knows no kernel/ },
  { file: 'sdk/src/tool.ts', text: "await import('@gateway/testing')", rule: /the sdk knows no kernel/ },
  { file: 'kernel/core/src/boot.ts', text: "import { serve } from '@gateway/http'", rule: /lower floors only/ },
  { file: 'plugins/a/src/index.ts', text: "import { boot } from '@gateway/kernel'", rule: /a plugin imports/ },
  { file: 'plugins/a/src/index.ts', text: "import b from '@gateway/plugin-b'", rule: /a plugin imports/ },
  { file: 'plugins/a/src/index.ts', text: "export * from '@gateway/plugin-b'", rule: /a plugin imports/ },
  { file: 'plugins/a/src/index.ts', text: "import { fakes } from '@gateway/testing'", rule: /a plugin imports/ },
  { file: 'plugins/a/src/operations/b.ts', text: "import { c } from '../tools/c.ts'", rule: /imports go down/ },
  { file: 'plugins/a/src/operations/b.ts', text: "import { c } from '../commands/c.ts'", rule: /imports go down/ },
  { file: 'plugins/a/src/rules/b.ts', text: "import type { C } from '../operations/c.ts'", rule: /imports go down/ },
  { file: 'plugins/a/src/schema.ts', text: "import { c } from './services/c.ts'", rule: /imports go down/ },
  { file: 'kernel/core/src/registry/a.ts', text: "import { b } from '../boot/b.ts'", rule: /imports go down/ },
  { file: 'kernel/core/src/ports/a.ts', text: "import type { Gateway } from '../gateway.ts'", rule: /imports go down/ },
  { file: 'kernel/mcp/src/views.ts', text: "import { b } from './handshake/b.ts'", rule: /imports go down/ },
  { file: 'plugins/standard/src/index.ts', text: "import { a } from '@gateway/plugin-a/api'", rule: /the standard distribution/ },
  { file: 'plugins/a/src/index.ts', text: "import { b } from '../../b/src/index.ts'", rule: /stays in the src/ },
  { file: 'plugins/a/src/index.ts', text: "import { b } from './b.js'", rule: /ends in \.ts/ },
  { file: 'kernel/mcp/src/era.ts', text: "import type { FastifyInstance } from 'fastify'", rule: /fastify lives/ },
  { file: 'plugins/a/src/index.ts', text: "import pino from 'pino'", rule: /pino lives/ },
  { file: 'kernel/mcp/src/era.ts', text: "import '@modelcontextprotocol/sdk/server/mcp.js'", rule: /the MCP SDK/ },
  { file: 'bin/cli/src/doctor.ts', text: "import { Client } from '@modelcontextprotocol/client'", rule: /the MCP SDK/ },
  { file: 'kernel/mcp/src/era.ts', text: "import type { Tool } from '@modelcontextprotocol/core'", rule: /stands in its package.json/ },
  { file: 'plugins/b/src/index.ts', text: "import { defineTool } from '@gateway/sdk'", rule: /stands in its package.json/ },
]

const allowed: Readonly<Record<string, string>> = {
  'kernel/core/src/boot.ts': "import type { Store } from '@gateway/storage'",
  'kernel/http/src/serve.ts': "import Fastify from 'fastify'\nimport type { Logger } from 'pino'\nimport { boot } from '@gateway/kernel'",
  'kernel/mcp/src/era.ts': "import type { Tool } from '@modelcontextprotocol/sdk/types.js'",
  'bin/cli/src/doctor.ts': "const { Client } = await import('@modelcontextprotocol/client')",
  'plugins/a/src/index.ts':
    "import { createHash } from 'node:crypto'\nimport { Type } from '@gateway/sdk'\nimport { cronTimes } from '@gateway/sdk/cron'\nimport { b } from '@gateway/plugin-b/api'",
  'plugins/standard/src/index.ts': "import a from '@gateway/plugin-a'",
}

const violationsOf = (files: Readonly<Record<string, string>>): string[] => inRepository(files, violations)

function inRepository(files: Readonly<Record<string, string>>, check: (root: string) => string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'house-'))
  try {
    for (const [path, text] of Object.entries({ ...house, ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return check(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the sources keep the import rules', () => {
  assert.deepEqual(violations(root), [])
})

test('no package and no module is in an import cycle', () => {
  assert.deepEqual(cycleFaults(root), [])
})

test('a cycle of packages, and one of modules, is found, and a dynamic import makes none', () => {
  const files = {
    'plugins/a/src/index.ts': '',
    'plugins/b/package.json': '{ "name": "@gateway/plugin-b", "dependencies": { "@gateway/plugin-a": "*" } }',
    'plugins/b/src/one.ts': "import type { Two } from './two.ts'",
    'plugins/b/src/two.ts': "export * from './three.ts'",
    'plugins/b/src/three.ts': "import {\n  one,\n} from './one.ts'",
    'plugins/b/src/four.ts': "const five = await import('./five.ts')",
    'plugins/b/src/five.ts': "import { four } from './four.ts'",
  }
  assert.deepEqual(inRepository(files, cycleFaults), [
    'packages depend on each other: @gateway/plugin-a, @gateway/plugin-b',
    'modules import each other: plugins/b/src/one.ts, plugins/b/src/three.ts, plugins/b/src/two.ts',
  ])
})

test('the core stays small', () => {
  assert.deepEqual(coreFault(root), [])
})

test('what the rules allow passes', () => {
  assert.deepEqual(violationsOf(allowed), [])
})

for (const { file, text, rule } of breaches) {
  test(`${file} may not: ${text}`, () => {
    assert.match(violationsOf({ [file]: text }).join('\n'), rule)
  })
}

test('every rule has a breach that proves it', () => {
  const unproven = rules.filter((rule) => !breaches.some((breach) => breach.rule.test(rule.says)))
  assert.deepEqual(unproven, [])
})
