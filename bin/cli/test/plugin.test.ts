import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gateway, temporaryFolder } from './cli-fixture.ts'
import { notesPlugin } from './notes-program.ts'

const good = join(import.meta.dirname, '../../../kernel/core/test/boot/plugins/good.mjs')
const manifest = {
  name: 'good',
  version: '1.0.0',
  license: 'MIT',
  type: 'module',
  exports: './index.mjs',
  dependencies: { '@gateway/sdk': '^1.0.0' },
}

/** Built package of one file that re-exports a plugin of these tests. */
async function packageOf(t: TestContext, source: string, changes: object = {}): Promise<string> {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...changes }))
  await writeFile(join(folder, 'index.mjs'), source)
  return folder
}
const passOn = `export { default } from ${JSON.stringify(good)}\n`

test('plugin new writes a package with sources, tests and snapshots, and says what is next', async (t) => {
  const cwd = await temporaryFolder(t)
  const { code, stdout } = await gateway(['plugin', 'new', 'my-notes', '--npm'], {}, cwd)
  assert.equal(code, 0)
  assert.match(stdout, /^The plugin my-notes is in \S+my-notes:\n/)
  assert.match(stdout, /\nNext: cd my-notes && npm install && npm test\n$/)
  const files = (await readdir(join(cwd, 'my-notes'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  assert.deepEqual(files.map(({ name }) => name).sort(), [
    '.gitignore',
    'README.md',
    'collections.ts',
    'config.ts',
    'index.ts',
    'my-notes-add.ts',
    'my-notes-list.ts',
    'my-notes-list.ts',
    'my-notes.ts',
    'my_notes_add.json',
    'my_notes_list.json',
    'package.json',
    'plugin.test.ts',
    'schema.ts',
    'tidy.ts',
    'tsconfig.json',
  ])
  assert.match(await readFile(join(cwd, 'my-notes/src/index.ts'), 'utf8'), /id: 'my-notes',\n {2}sdk: '\^\d+\.\d+\.\d+',/)
  // npm takes overrides from the package that is installed in, so that a plugin needs those of the repository.
  const { overrides } = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8'))
  assert.deepEqual(JSON.parse(await readFile(join(cwd, 'my-notes/package.json'), 'utf8')).overrides, overrides)
})

test('plugin new overwrites nothing', async (t) => {
  const cwd = await temporaryFolder(t)
  await mkdir(join(cwd, 'mine'))
  await writeFile(join(cwd, 'mine', 'kept.txt'), 'kept')
  await writeFile(join(cwd, 'file'), '')
  const { code, stderr } = await gateway(['plugin', 'new', 'mine', '--npm'], {}, cwd)
  assert.deepEqual([code, stderr], [1, `gateway: ${join(cwd, 'mine')} is not empty; choose another name or folder.\n`])
  assert.deepEqual(await readdir(join(cwd, 'mine')), ['kept.txt'])
  assert.match((await gateway(['plugin', 'new', 'file'], {}, cwd)).stderr, /file cannot be used: ENOTDIR/)
})

test('a name that is no kebab-case, a missing one, and another action are wrong usage', async () => {
  for (const name of ['My_Notes', '../up', 'a--b', 'x'.repeat(41), '']) {
    const { code, stderr } = await gateway(['plugin', 'new', name])
    assert.equal(code, 64)
    assert.match(stderr, /Expected a name in kebab-case, like my-notes/)
  }
  for (const argv of [['plugin'], ['plugin', 'new', 'a', 'b']]) {
    assert.deepEqual(
      [(await gateway(argv)).code, (await gateway(argv)).stderr],
      [64, 'gateway: Expected `gateway plugin new <name>` or `gateway plugin check [folder]`.\n'],
    )
  }
  const other = await gateway(['plugin', 'publish'])
  assert.deepEqual([other.code, other.stderr], [64, 'gateway: `gateway plugin` takes one of: new, check; got "publish".\n'])
})

test('a name that the gateway or one of its plugins has is refused, since nothing could load it', async (t) => {
  const cwd = await temporaryFolder(t)
  for (const name of ['gateway', 'tools', 'docs', notesPlugin.id]) {
    const { code, stderr } = await gateway(['plugin', 'new', name], {}, cwd)
    assert.deepEqual([code, stderr.startsWith(`gateway: ${name} is the name of the gateway or of a bundled plugin`)], [64, true])
  }
  assert.deepEqual(await readdir(cwd), [])
})

test('plugin check --update writes the snapshots, and the next check passes', async (t) => {
  const folder = await packageOf(t, passOn)
  const before = await gateway(['plugin', 'check', folder, '--json'])
  assert.equal(before.code, 1)
  const missing = before.json().checks.filter(({ fault }: { fault?: string }) => fault !== undefined)
  assert.equal(missing.length, 1)
  assert.match(missing[0].fault, /good_say has no snapshot; write it with gateway plugin check --update, read it/)

  const { code, stdout } = await gateway(['plugin', 'check', folder, '--update'])
  assert.equal(code, 0, stdout)
  assert.match(stdout, /\ngood: all \d+ checks pass\.\n$/)
  assert.deepEqual(await readdir(join(folder, 'test/__snapshots__')), ['good_say.json'])
  assert.equal((await gateway(['plugin', 'check'], {}, folder)).code, 0)
})

test('plugin check says what is wrong, where, for every kind of promise at once', async (t) => {
  const folder = await packageOf(
    t,
    `import plugin from ${JSON.stringify(good)}
const [say] = plugin.tools
const input = { type: 'object', properties: { tenantId: { type: 'string' }, size: { type: 'number' } }, additionalProperties: false }
const odd = (status) => ({ code: 'odd', status, description: 'Odd.', details: {} })
export default {
  ...plugin,
  id: 'bad',
  tools: [{ ...say, name: 'NotSnake', input, capability: 'work', errors: [odd(200)] }],
  start: async () => { throw new Error('no printer') },
}
`,
    { type: 'commonjs', license: undefined, dependencies: {} },
  )
  const { code, stdout } = await gateway(['plugin', 'check', folder])
  assert.equal(code, 1)
  for (const expected of [
    /license is missing/,
    /type must be "module"/,
    /dependencies must name @gateway\/sdk/,
    /tool NotSnake: the name must be snake_case/,
    /tool NotSnake: tenantId is derived by the server/,
    /NotSnake: the argument size has no description/,
    /NotSnake: it only reads, yet needs the capability work/,
    /NotSnake: the error code odd is not UPPER_SNAKE/,
    /the config good is named bad or bad\./,
    /\nbad: \d+ of \d+ checks fail\.\n$/,
  ]) {
    assert.match(stdout, expected)
  }
})

test('a plugin that starts badly fails its check alone', async (t) => {
  const source = `import plugin from ${JSON.stringify(good)}\nexport default { ...plugin, start: async () => { throw new Error('no printer') } }\n`
  const folder = await packageOf(t, source)
  const { code, stdout } = await gateway(['plugin', 'check', folder, '--update'])
  assert.equal(code, 1)
  assert.match(stdout, /^fail {2}it starts with what it needs and nothing else, and stops, without a warning$/m)
  assert.match(stdout, /plugin 'good' failed in start: no printer/)
  assert.match(stdout, /good: 1 of \d+ checks fail/)
})

test('a folder without a plugin is one sentence', async (t) => {
  const folder = await temporaryFolder(t)
  const { code, stderr } = await gateway(['plugin', 'check', folder])
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^gateway: The plugin cannot be loaded: \S+ has no package\.json; name the plugin’s JavaScript file, or its package\.\n$/,
  )
})

/** Plugin with tools, in the form of a package. Its schemas are written by hand: a package of these tests installs nothing. */
const toolsPlugin = (collection: string): string => `
const closed = (properties, required) => ({ type: 'object', properties, required, additionalProperties: false })
const notes = { kind: 'collection', id: 'good', schema: closed({ noteId: { type: 'string' }, text: { type: 'string' } }), key: 'noteId', indexes: [], text: [] }
const tool = (name, effect, input, handle, more = {}) => ({
  kind: 'tool', name, description: 'Does what its name says. Returns what came of it.', capability: effect === 'read' ? 'read' : 'work', effect,
  idempotent: effect === 'read', openWorld: false, listing: 'default', rest: undefined, status: 200, input, output: { type: 'object' }, errors: [],
  uses: { notes }, handle, ...more,
})
let bound
const of = (notes) => ${collection}
const text = { type: 'string' }
export default {
  id: 'good', sdk: '^1.0.0', description: 'Keeps notes, for tests of the check.', collections: [notes],
  tools: [
    tool('good_put', 'write', closed({ text }, ['text']), async ({ text }, { notes }, ctx) => ({ note: await notes.insert({ noteId: ctx.newId('note-'), text }) })),
    tool('good_list', 'read', closed({}, []), async (_, { notes }) => ({ notes: (await of(notes).find()).items })),
    tool('good_clear', 'destructive', closed({ noteId: text }, ['noteId']), async ({ noteId }, { notes }) => ({ removed: (await of(notes).deleteOne(noteId)) !== undefined })),
    tool('good_call', 'write', closed({}, []), async () => { throw new Error('it was called') }, { openWorld: true }),
  ],
}
`
const ISOLATION = 'its tools never show or change another tenant’s data, for any ids'

test('plugin check finds a plugin that mixes tenants up, by the tool and what it does', async (t) => {
  const folder = await packageOf(t, toolsPlugin('(bound ??= notes)'))
  const { code, json } = await gateway(['plugin', 'check', folder, '--update', '--json'])
  assert.equal(code, 1)
  assert.deepEqual(
    json().checks.filter(({ fault }: { fault?: string }) => fault !== undefined),
    [{ promise: ISOLATION, fault: 'good_list shows another tenant’s text\ngood_clear changes another tenant’s documents' }],
  )
})

test('plugin check says which tools it did not call, since they reach outside', async (t) => {
  const folder = await packageOf(t, toolsPlugin('notes'))
  const { code, stdout } = await gateway(['plugin', 'check', folder, '--update'])
  assert.equal(code, 0, stdout)
  assert.match(stdout, new RegExp(`${ISOLATION}, but:\n  not called, since they reach outside of the gateway: good_call\n`))
  assert.match(stdout, new RegExp(`^part +${ISOLATION}$`, 'm'))
  assert.match(stdout, /\ngood: no check fails; 1 of \d+ could be tried only in part\.\n$/)
})

test('plugin check fills collections whose texts must keep a rule, a pattern or a format, and says which it could not', async (t) => {
  const outcomeOf = async (text: string) => {
    const source = toolsPlugin('notes').replace("const text = { type: 'string' }", () => `const text = { type: 'string', ${text} }`)
    const folder = await packageOf(t, source.replace('{ openWorld: true }', ''))
    const { stdout } = await gateway(['plugin', 'check', folder, '--update'])
    return new RegExp(`^(\\w+) +${ISOLATION}$`, 'm').exec(stdout)?.[1]
  }
  for (const text of [
    "rule: { must: 'be an http or https address', matches: '^https?://' }",
    "pattern: '^/'",
    "pattern: '^[A-Z]{3,}$'",
    "format: 'date', pattern: '^[0-9]{4}-'",
    'minLength: 30, maxLength: 40',
  ])
    assert.equal(await outcomeOf(text), 'ok', text)
  assert.equal(await outcomeOf("pattern: '^no such words$'"), 'part')
})

test('plugin check --with checks a plugin beside another one from elsewhere, whose service it needs', async (t) => {
  const needy = `${toolsPlugin('notes').replace('export default', 'const plugin =')}
const ink = { kind: 'service', id: 'other.ink', scope: 'call' }
const write = tool('good_ink', 'read', closed({}, []), async (_, { ink }) => ({ colour: ink.colour }), { uses: { ink } })
export default { ...plugin, tools: [...plugin.tools, write] }
`
  const folder = await packageOf(t, needy)
  const other = `const ink = { kind: 'service', id: 'other.ink', scope: 'call' }
export default { id: 'other', sdk: '^1.0.0', description: 'Has ink.', provides: [{ ref: ink, uses: {}, create: () => ({ colour: 'blue' }) }] }
`
  await writeFile(join(folder, 'other.mjs'), other)
  const alone = await gateway(['plugin', 'check', folder, '--update'])
  assert.equal(alone.code, 1)
  assert.match(alone.stdout, /no running plugin provides the service other\.ink/)
  const beside = await gateway(['plugin', 'check', folder, '--with', './other.mjs'])
  assert.equal(beside.code, 0, beside.stdout)
  const missing = await gateway(['plugin', 'check', folder, '--with', './another.mjs'])
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /^gateway: The plugin \.\/another\.mjs cannot be loaded: /)
  const builtIn = await gateway(['plugin', 'check', folder, '--with', notesPlugin.id])
  assert.deepEqual([builtIn.code, /got notes, which is built in and added where it is needed/.test(builtIn.stderr)], [64, true])
})

test('plugin check finds schemas that are none, and tools that throw what they do not declare', async (t) => {
  const made = `${toolsPlugin('notes').replace('export default', 'const plugin =')}
const input = closed({ size: { type: 'nummer', description: 'How many.' } }, [])
const more = (name, handle) => tool(name, 'read', closed({}, []), handle)
`
  const faultsOf = async (tools: string) => {
    const folder = await packageOf(t, `${made}export default { ...plugin, tools: [...plugin.tools, ${tools}] }\n`)
    const { code, json } = await gateway(['plugin', 'check', folder, '--update', '--json'])
    assert.equal(code, 1)
    return json().checks.filter(({ fault }: { fault?: string }) => fault !== undefined)
  }
  const [schemas, ...others] = await faultsOf("tool('good_size', 'read', input, async () => ({}))")
  assert.deepEqual(others, [])
  assert.equal(schemas.promise, 'its schemas are JSON Schema')
  assert.match(schemas.fault, /^good_size: the input schema: schema is invalid: data\/properties\/size\/type must be /)
  assert.deepEqual(await faultsOf("more('good_throw', async () => { throw new Error('no printer') })"), [
    { promise: 'its tools fail with errors they declare', fault: 'good_throw fails with what it does not declare: no printer' },
  ])
})
