/** Checks of the integrations that need no installed host: they are complete, alike, and call existing tools. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { closed, Type } from '@gateway/sdk'
import { lazyValidator } from '@gateway/validation'
import hook from '../../bin/cli/src/commands/hook.ts'
import mcp from '../../bin/cli/src/commands/mcp.ts'
import { commands } from '../../bin/cli/src/commands.ts'
import { filesUnder, root } from '../../scripts/workspaces.mjs'
import { needing, program } from '../support/programs.ts'

const HOSTS = {
  'claude-code': '.claude-plugin/plugin.json',
  codex: '.codex-plugin/plugin.json',
  'gemini-cli': 'gemini-extension.json',
} as const
const hosts = Object.keys(HOSTS) as (keyof typeof HOSTS)[]
const at = (...path: string[]): string => join(root, ...path)
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
const json = (...path: string[]): any => JSON.parse(readFileSync(at(...path), 'utf8'))
const { version } = json('package.json')

test('every integration has a manifest of this version, with the same name and description', () => {
  const manifests = hosts.map((host) => json('integrations', host, HOSTS[host]))
  for (const manifest of manifests)
    assert.deepEqual([manifest.name, manifest.version, manifest.description], ['gateway', version, manifests[0].description])
  for (const path of ['skills', 'mcpServers', 'hooks'])
    assert.ok(existsSync(at('integrations/codex', json('integrations/codex', HOSTS.codex)[path])), path)
})

test('every integration connects to the core list through the bridge', () => {
  for (const host of hosts) {
    const { mcpServers } = host === 'gemini-cli' ? json('integrations', host, HOSTS[host]) : json('integrations', host, '.mcp.json')
    assert.deepEqual([mcpServers.gateway.command, mcpServers.gateway.args], ['gateway', ['mcp', '--view', 'core']], host)
  }
  assert.ok('mcp' in commands && 'view' in mcp.options)
})

test('their hooks run commands there are', () => {
  for (const host of hosts) {
    const { hooks } = json('integrations', host, 'hooks/hooks.json') as { hooks: Record<string, { hooks: { command: string }[] }[]> }
    const run = Object.entries(hooks).map(([event, groups]) => [
      event,
      groups.flatMap((group) => group.hooks.map(({ command }) => command)).join(),
    ])
    const start = ['SessionStart', 'gateway hook session-start']
    const uses = { codex: ['PostToolUse'], 'claude-code': ['PostToolUse', 'PostToolUseFailure'], 'gemini-cli': ['AfterTool'] }[host]
    const steps = uses.map((event) => [event, 'gateway hook tool-use'])
    const turns = host === 'codex' ? [['Stop', 'gateway hook turn-end']] : []
    assert.deepEqual(run, [start, ...steps, ...turns, ['SessionEnd', 'gateway hook session-end']], host)
  }
  assert.match(hook.usage, /session-start \| tool-use \| turn-end \| session-end/)
})

test('the skills are the same in each, name themselves and tools there are', () => {
  const read = (host: string) => {
    const folder = at('integrations', host, 'skills')
    return new Map([...filesUnder(folder)].map(({ path }) => [relative(folder, path), readFileSync(path, 'utf8')]))
  }
  const skills = read('claude-code')
  for (const host of hosts) assert.deepEqual(read(host), skills, host)
  assert.equal(skills.size, 3)
  const tools = new Set([...readFileSync(at('docs/reference/tools.md'), 'utf8').matchAll(/^### (\w+)$/gm)].map(([, name]) => name))
  for (const one of ['search', 'call_read', 'call_write', 'call_destructive']) tools.add(`tools_${one}`)
  for (const [path, text] of skills) {
    const [, name, description = ''] = /^---\nname: ([a-z-]{1,64})\ndescription: (.{1,1024})\n---\n/.exec(text) ?? []
    assert.equal(path, join(name ?? '', 'SKILL.md'))
    assert.match(description, /Use /)
    const named = [...text.matchAll(/`((?:tasks|mail|memory|state|handoff|context|tools)_\w+)`/g)].map(([, tool]) => tool)
    assert.ok(named.length > 0)
    for (const tool of named) assert.ok(tools.has(tool), `${path}: ${tool}`)
  }
})

test('the repository is a marketplace for Claude Code and for Codex, whose entries lead to the plugins', () => {
  const [claude] = json('.claude-plugin/marketplace.json').plugins
  assert.ok(existsSync(at(claude.source, HOSTS['claude-code'])))
  const [codex] = json('.agents/plugins/marketplace.json').plugins
  assert.ok(existsSync(at(codex.source.path, HOSTS.codex)))
  assert.deepEqual([claude.name, codex.name], ['gateway', 'gateway'])
})

/** The registry's schema of 2025-12-11 for a server that is a package; closed here, to find misspellings. */
const text = (maxLength = 1_000) => Type.String({ minLength: 1, maxLength })
const input = { description: Type.Optional(text()), default: Type.Optional(text()), value: Type.Optional(text()) }
const serverSchema = Type.Object(
  {
    $schema: text(),
    name: Type.String({ minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }),
    title: text(100),
    description: text(100),
    version: Type.String({ maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+$' }),
    packages: Type.Array(
      Type.Object(
        {
          registryType: Type.Enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb']),
          identifier: text(),
          version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' }),
          runtimeHint: text(),
          transport: Type.Object({ type: Type.Literal('stdio') }, closed),
          packageArguments: Type.Array(
            Type.Union([
              Type.Object({ type: Type.Literal('positional'), ...input, value: text() }, closed),
              Type.Object({ type: Type.Literal('named'), name: Type.String({ pattern: '^--' }), ...input }, closed),
            ]),
          ),
          environmentVariables: Type.Array(Type.Object({ name: text(), ...input, isSecret: Type.Optional(Type.Boolean()) }, closed)),
        },
        closed,
      ),
    ),
  },
  closed,
)

test('server.json describes the package of the command as it is published, and keeps to the bounds of the registry', () => {
  const server = json('server.json')
  const manifest = json('bin/package.json')
  assert.match(server.$schema, /\/schemas\/\d{4}-\d{2}-\d{2}\/server\.schema\.json$/)
  assert.equal(manifest.mcpName, server.name, 'which is how the registry knows whose package it is')
  assert.equal(lazyValidator(serverSchema)(server), undefined)
  const [npm] = server.packages
  assert.deepEqual([server.version, npm.version, npm.identifier], [version, manifest.version, manifest.name])
  const given = npm.packageArguments.map((one: { type: string; value?: string; name?: string }) => one.value ?? one.name)
  assert.deepEqual(given, ['mcp', '--view'])
  const client = ['client', 'service-address'].map((name) => readFileSync(at(`bin/cli/src/${name}.ts`), 'utf8')).join('')
  for (const { name } of npm.environmentVariables) assert.match(client, new RegExp(`env\\.${name}\\b`))
})

test('the package of the command lists all that lies beside it', () => {
  const { files } = json('bin/package.json')
  const beside = readdirSync(at('bin')).filter((name) => /\.m?js$/.test(name))
  assert.deepEqual(files.toSorted(), beside.toSorted())
})

for (const [host, ...validate] of [
  ['claude', 'plugin', 'validate', 'integrations/claude-code'],
  ['gemini', 'extensions', 'validate', 'integrations/gemini-cli'],
] as const) {
  const valid = needing(host, `${host} finds its integration valid`)
  test(valid.name, { skip: valid.skip }, async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'gateway-host-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    await promisify(execFile)(program(host) as string, validate, { cwd: root, env: { PATH: process.env.PATH ?? '', HOME: home } })
  })
}

test('the page names every integration by its folder', () => {
  const page = readFileSync(at('integrations/README.md'), 'utf8')
  for (const host of hosts) assert.ok(page.includes(`[${host}](${host})`), host)
  for (const [, target = ''] of page.matchAll(/\]\((\S+?)\)/g))
    assert.ok(existsSync(join(dirname(at('integrations/README.md')), target)), target)
})
