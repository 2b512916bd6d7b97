/** What is checked of the integrations where none of their hosts is installed: that they are whole, alike, and call what there is. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import hook from '../../kernel/cli/src/commands/hook.ts'
import mcp from '../../kernel/cli/src/commands/mcp.ts'
import { commands } from '../../kernel/cli/src/commands.ts'
import { filesUnder, root } from '../../scripts/workspaces.mjs'

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
    assert.deepEqual(run, host === 'codex' ? [start] : [start, ['SessionEnd', 'gateway hook session-end']], host)
  }
  assert.match(hook.usage, /session-start \| session-end/)
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

test('server.json describes the package of the command as it is published, and keeps to the bounds of the registry', () => {
  const server = json('server.json')
  const manifest = json('bin/package.json')
  assert.match(server.$schema, /\/schemas\/\d{4}-\d{2}-\d{2}\/server\.schema\.json$/)
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  assert.equal(manifest.mcpName, server.name, 'which is how the registry knows whose package it is')
  assert.ok(server.description.length <= 100)
  const [npm] = server.packages
  assert.deepEqual([server.version, npm.version, npm.identifier], [version, manifest.version, manifest.name])
  const given = npm.packageArguments.map((one: { type: string; value?: string; name?: string }) => one.value ?? one.name)
  assert.deepEqual(given, ['mcp', '--view'])
  for (const { name } of npm.environmentVariables)
    assert.match(readFileSync(at('kernel/cli/src/client.ts'), 'utf8'), new RegExp(`env\\.${name}\\b`))
})

test('the package of the command lists all that lies beside it', () => {
  const { files } = json('bin/package.json')
  const beside = [...filesUnder(at('bin'))].map(({ path }) => relative(at('bin'), path)).filter((path) => /\.m?js$/.test(path))
  assert.deepEqual(files.toSorted(), beside.toSorted())
})

test('the page names every integration by its folder', () => {
  const page = readFileSync(at('integrations/README.md'), 'utf8')
  for (const host of hosts) assert.ok(page.includes(`[${host}](${host})`), host)
  for (const [, target = ''] of page.matchAll(/\]\((\S+?)\)/g))
    assert.ok(existsSync(join(dirname(at('integrations/README.md')), target)), target)
})
