import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runCommand } from '@gateway/cli'
import type { Plugin } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { commandVariables, runnerVariables } from '../../bin/cli/src/command-variables.ts'
import { settingsSchema } from '../../kernel/settings/src/settings.ts'
import { staleReferences } from '../../scripts/references.ts'
import { filesUnder, root } from '../../scripts/workspaces.mjs'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...[...filesUnder(join(root, 'docs'))].map(({ path }) => relative(root, path)),
]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const blocks = (page: string, language: string): string[] => {
  const { text = '' } = pages.find(({ path }) => path === page) ?? {}
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block)
}

/** Builds the anchor as GitHub does from a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

test('the generated references say what the code says', async () => {
  assert.deepEqual(await staleReferences(root), [])
})

test('every error the kernel declares is in the catalogue', () => {
  const catalogue = readFileSync(join(root, 'docs/reference/errors.md'), 'utf8')
  const declared = [...filesUnder(join(root, 'kernel'))]
    .filter(({ path }) => path.includes('/src/'))
    .flatMap(({ path }) => [...readFileSync(path, 'utf8').matchAll(/defineError\('([A-Z_]+)'/g)])
  assert.ok(declared.length > 0)
  assert.deepEqual(
    declared.map(([, code = '']) => code).filter((code) => !catalogue.includes(`| \`${code}\` |`)),
    [],
  )
})

test('every relative link leads to a file, and to a heading in it', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = '', heading] = target.split('#')
        const found = file === '' ? join(root, path) : join(root, dirname(path), file)
        if (!existsSync(found)) return true
        const headings =
          heading === undefined ? [] : [...readFileSync(found, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchor(title))
        return heading !== undefined && !headings.includes(heading)
      })
      .map((target) => `${path}: ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('every npm script a page names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const builtIn = ['ci', 'install', 'test', 'start', 'link']
  const unknown = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\bnpm (?:run )?([a-z-]+(?::[a-z-]+)?)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in scripts) && !builtIn.includes(name))
      .map((name) => `${path}: npm run ${name}`),
  )
  assert.deepEqual(unknown, [])
})

test('every variable of the gateway that a page names is a setting', () => {
  const schemas = [settingsSchema, commandVariables, ...standardPlugins.flatMap(({ config }) => (config ? [config.schema] : []))]
  const properties = schemas.flatMap((schema) =>
    Object.values((schema as unknown as { properties: Record<string, { env?: string }> }).properties),
  )
  const settings = new Set([...runnerVariables, ...properties.map(({ env }) => env)] as (string | undefined)[])
  const unknown = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\bGATEWAY_[A-Z_]+\b/g)].filter(([name]) => !settings.has(name)).map(([name]) => `${path}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})

test('JSON in the pages is JSON', () => {
  for (const { path } of pages) for (const block of blocks(path, 'json')) assert.doesNotThrow(() => JSON.parse(block), `${path}:\n${block}`)
})

const json = (page: string) => blocks(page, 'json').map((block) => JSON.parse(block) as Record<string, Record<string, unknown>>)

test('the config file in the README starts the gateway, with what it sets', async () => {
  const { plugins: shown } = json('README.md').find(({ plugins }) => plugins) ?? {}
  assert.ok(shown)
  const config = shown as Record<string, boolean | Record<string, unknown>>
  await using gateway = await startTestGateway({ plugins: standardPlugins, config })
  const { plugins } = (await gateway.inject({ method: 'GET', url: '/status' })).json() as { plugins: { id: string; outcome: string }[] }
  for (const [id, value] of Object.entries(config)) {
    assert.equal(plugins.find((plugin) => plugin.id === id)?.outcome, value === false ? 'off' : 'started', id)
  }
})

test('the entries of MCP clients in the README are what `gateway connect` writes', async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), 'gateway-connect-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  const shown = json('README.md').flatMap(({ mcpServers, servers }) => mcpServers?.gateway ?? servers?.gateway ?? [])
  const written = async (...args: string[]): Promise<object> => {
    const argv = ['connect', ...args, '--json', '--url', 'http://127.0.0.1:7411']
    const { stdout } = await runCommand({ plugins: async () => standardPlugins, argv, cwd, env: { HOME: cwd } })
    return (JSON.parse(stdout) as { entry: object }).entry
  }
  const stdio = (await written('cursor', '--stdio')) as { args: readonly string[] }
  assert.deepEqual(shown, [
    await written('cursor'),
    await written('vscode'),
    { command: 'node', args: ['/path/to/bin/gateway.js', stdio.args[1]] },
  ])
})

test('a line of the access log has the members that the page shows', async () => {
  const [shown] = json('docs/operations.md').filter(({ event }) => (event as unknown) === 'http.request')
  assert.ok(shown)
  const env = { GATEWAY_ACCESS_LOG: '1', GATEWAY_LOG_LEVEL: 'fatal' }
  await using gateway = await startTestGateway({ plugins: standardPlugins, listen: true, env })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${gateway.url}/api/tasks/claim`, { method: 'POST', headers, body: '{"claimedBy":"me"}' })
  const line = gateway.logs.find(({ event }) => event === 'http.request')
  const { time: _time, pid: _pid, hostname: _host, ...members } = line ?? {}
  assert.deepEqual(Object.keys(members).sort(), Object.keys(shown).sort())
  for (const name of ['level', 'method', 'route', 'operation', 'status']) assert.equal(members[name], shown[name])
})

test('the plugin in the README runs', async () => {
  const [source = ''] = blocks('README.md', 'ts')
  // Next to this test, so that it finds the packages it imports.
  const folder = mkdtempSync(join(import.meta.dirname, 'readme-'))
  try {
    const file = join(folder, 'plugin.ts')
    writeFileSync(file, source)
    const { default: notes } = (await import(pathToFileURL(file).href)) as { default: Plugin }
    await using gateway = await startTestGateway({ plugins: [notes] })
    const stored = await gateway.inject({ method: 'PUT', url: '/api/notes/todo', body: { text: 'Read the guide' } })
    assert.deepEqual(stored.json(), { note: { key: 'todo', text: 'Read the guide' } })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the calls in the README answer as it says', async () => {
  const calls = blocks('README.md', 'sh')
    .flatMap((block) => block.split(/^(?=curl)/m))
    .filter((command) => command.startsWith('curl -s http://127.0.0.1:7411'))
    .map((command) => ({
      url: /7411(\S+)/.exec(command)?.[1] ?? '',
      headers: Object.fromEntries([...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value])),
      body: /-d '([^']+)'/.exec(command)?.[1],
    }))
  assert.equal(calls.length, 4)
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  const answers: { url: string; status: number; json: () => { task?: { status: string; title: string } | null } }[] = []
  for (const { url, headers, body } of calls) {
    answers.push({
      url,
      ...(await gateway.inject({ method: body === undefined ? 'GET' : 'POST', url, headers, ...(body !== undefined && { body }) })),
    })
  }
  for (const { url, status } of answers) assert.ok(status === 200 || status === 201, `${url} answered ${status}`)
  assert.equal(answers[1]?.json().task?.status, 'pending')
  assert.deepEqual([answers[2]?.json().task?.status, answers[2]?.json().task?.title], ['working', 'Fix the login page'])
})
