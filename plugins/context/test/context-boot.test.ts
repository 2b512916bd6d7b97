import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import { BOUNDARY } from '../src/rules/bundle.ts'
import { ACME, above, below, part, recall, start } from './support.ts'

test('a boot gives who, state, handoff and what comes next: in the brief, and in the bundle', async () => {
  await using set = await start()
  await set.state('web', '# Web\n\nShips daily.\n\n## Next\n\n- mend the login\n')
  await set.handoff('web', 'Login is half done.', { summary: 'Half way', author: 'ada' })
  const { bundle, brief, manifest, ...more } = await set.boot({ repo: 'web' })
  assert.deepEqual(more, {}, 'without a query there is nothing else')
  assert.match(brief.who, /`operator` \(role operator\) in tenant `local`, at work in `web` \(group apps, folder .*web\)/)
  assert.match(brief.state, /Ships daily/)
  assert.match(brief.handoff, /Half way\nLogin is half done\./)
  assert.equal(brief.next, '- mend the login')
  assert.match(above(bundle), /^# Context of web\n\n## Who and where\n/)
  for (const text of [brief.who, brief.state, brief.handoff, brief.next]) assert.ok(bundle.includes(text))
  for (const text of [brief.state, brief.handoff, brief.next]) assert.ok(below(bundle).includes(text))
  assert.deepEqual(
    [manifest.repo, manifest.budget, manifest.characters, manifest.boundary],
    ['web', 1_800, bundle.length, bundle.indexOf(BOUNDARY)],
  )
  assert.deepEqual(
    manifest.parts.map(({ title, place }: { title: string; place: string }) => `${place} ${title}`),
    ['stable Who and where', 'stable Going deeper', 'volatile Next', 'volatile Handoff', 'volatile State'],
  )
})

test('include chooses the members beside the bundle; without it there are only the snippets of a query', async () => {
  const searched: string[] = []
  const source = recall({
    source: 'lore',
    tool: 'state_read',
    async search({ query }) {
      searched.push(query)
      return []
    },
  })
  await using set = await start([source])
  const members = async (args: object) => Object.keys(await set.gateway.call('context_boot', { repo: 'web', ...args }))
  assert.deepEqual(await members({}), ['bundle'])
  assert.deepEqual(await members({ include: [] }), ['bundle'])
  assert.deepEqual(await members({ include: ['manifest'] }), ['bundle', 'manifest'])
  assert.deepEqual(await members({ include: ['brief'], query: 'login' }), ['bundle', 'brief'])
  assert.deepEqual(searched, [], 'snippets that nobody receives are not searched')
  assert.deepEqual(await members({ query: 'login' }), ['bundle', 'snippets', 'lazyRecall'])
  assert.deepEqual(await members({ include: ['snippets'], query: 'login' }), ['bundle', 'snippets', 'lazyRecall'])
  assert.deepEqual(searched, ['login', 'login'])
  const { bundle } = await set.boot({ repo: 'web' })
  assert.equal((await set.boot({ repo: 'web', include: [] })).bundle, bundle)
  await assert.rejects(set.boot({ include: ['parts'] }), ({ code, details }) => code === 'BAD_REQUEST' && details.field === 'include[0]')
})

test('without repo it is the master repo', async () => {
  await using set = await start()
  const { manifest, brief } = await set.boot()
  assert.equal(manifest.repo, 'hub')
  assert.match(brief.who, /the master repo/)
  assert.deepEqual([brief.state, brief.handoff, brief.next], ['', '', ''])
  await assert.rejects(set.boot({ repo: '/' }), { code: 'NOT_FOUND' })
})

test('a HANDOFF.md that others wrote is told, at its place or at the root of the repo, and beside the latest entry', async () => {
  await using set = await start()
  await set.file('web', 'HANDOFF.md', '# Handoff\n\nThe login is half done.\n\n## Next\n\n- mend the session\n')
  const first = await set.boot({ repo: 'web' })
  assert.match(first.brief.handoff, /The login is half done/)
  assert.equal(first.brief.next, '- mend the session')
  await set.file('web', '.gateway/HANDOFF.md', '# Handoff\n\nBy hand: the cache is cold.\n')
  const second = await set.boot({ repo: 'web' })
  assert.match(second.brief.handoff, /By hand: the cache is cold/)
  assert.doesNotMatch(second.brief.handoff, /login/, 'the file at its place goes first')
  await set.handoff('web', 'Login is done.')
  const { brief } = await set.boot({ repo: 'web', budget: 8_000 })
  assert.match(brief.handoff, /Login is done\.\n\nFrom HANDOFF\.md:\n# Handoff\n\nBy hand: the cache is cold\.$/)
  await set.handoff('web', 'All is done.')
  assert.doesNotMatch(
    (await set.boot({ repo: 'web', budget: 8_000 })).brief.handoff,
    /Login is done/,
    'earlier entries of the file are not notes',
  )
})

test('any repo name works: it is told what there is of a repo that is not registered, and how to register it', async () => {
  await using set = await start()
  for (const as of [{}, ACME]) {
    const empty = await set.boot({ repo: 'brand-new' }, as)
    assert.deepEqual([empty.manifest.repo, empty.manifest.registered], ['brand-new', false])
    assert.match(above(empty.bundle), /"brand-new" is not registered.*repos_upsert \{"name": "brand-new"/)
    await set.gateway.call('state_update', { repo: 'brand-new', content: 'Begun.' }, as)
    await set.handoff('brand-new', 'On another machine.', {}, as)
    const { brief, manifest } = await set.boot({ repo: 'brand-new' }, as)
    assert.match(brief.state, /Begun/)
    assert.match(brief.handoff, /On another machine/)
    await set.gateway.call('repos_upsert', manifest.registration, as)
    const registered = await set.boot({ repo: 'brand-new' }, as)
    assert.deepEqual([registered.manifest.registered, registered.manifest.registration], [true, undefined])
    assert.match(registered.brief.state, /Begun/)
    assert.doesNotMatch(registered.bundle, /not registered/)
  }
})

test('a clone is recognised by its remote, and its files are read where they lie', async () => {
  await using set = await start()
  await set.gateway.call('repos_upsert', { name: 'site', gitRemote: 'git@git.example.org:acme/site.git' })
  await set.handoff('site', 'Half done.')
  const clone = { repo: 'my-fork', root: '/home/ada/my-fork', remote: 'https://git.example.org/acme/site' }
  const { manifest, brief } = await set.boot(clone)
  assert.deepEqual([manifest.repo, manifest.registered], ['site', true])
  assert.match(brief.handoff, /Half done/)
  assert.equal((await set.boot({ ...clone, remote: 'https://git.example.org/other/site' })).manifest.repo, 'my-fork')
  await assert.rejects(set.boot({ root: 'relative' }), ({ code, details }) => code === 'BAD_REQUEST' && details.field === 'root')
})

test('two remotes that end alike stay apart for clients that go on with the plain name of an answer', async () => {
  await using set = await start()
  const [own, other] = ['git@git.example.org:acme/api.git', 'git@git.example.org:other/api.git']
  const viewer = { as: { ...ACME.as, role: 'viewer' } } as const
  for (const as of [{}, ACME]) {
    if (as === ACME) assert.equal((await set.boot({ repo: other }, viewer)).manifest.repo, 'api', 'who only reads takes no name')
    const first = await set.boot({ repo: own }, as)
    assert.equal(first.manifest.repo, 'api')
    await set.gateway.call('state_update', { repo: first.manifest.repo, heading: '## Now', content: 'Of acme.' }, as)
    const second = await set.boot({ repo: other }, as)
    assert.equal(second.manifest.repo, 'other-api')
    assert.doesNotMatch(second.bundle, /Of acme/)
    await set.gateway.call('state_update', { repo: other, heading: '## Now', content: 'Of other.' }, as)
    assert.match((await set.boot({ repo: own }, as)).brief.state, /Of acme/)
  }
})

test('what stands above the boundary is the same to the byte, whatever has changed below, and its hash says so', async () => {
  await using set = await start([part({ title: 'Rules', order: 1, place: 'stable', render: async () => `Be kind. ${'x'.repeat(5_000)}` })])
  const first = await set.boot({ repo: 'web' })
  const head = above(first.bundle)
  for (const change of [
    () => set.state('web', `# Web\n${'state '.repeat(2_000)}`),
    () => set.handoff('web', 'handed '.repeat(2_000)),
    () => set.gateway.call('tasks_create', { repo: 'web', title: 'Mend it' }),
    async () => set.gateway.clock.advance(100_000),
  ]) {
    await change()
    const { bundle, manifest } = await set.boot({ repo: 'web' })
    assert.notEqual(below(bundle), '')
    assert.equal(above(bundle), head)
    assert.equal(manifest.stableSha256, first.manifest.stableSha256)
  }
  assert.equal(first.manifest.stableSha256, createHash('sha256').update(head.trimEnd()).digest('hex'))
  assert.equal(above((await set.boot({ repo: 'web', query: 'mend' })).bundle), head)
})

test('the budget bounds the bundle, of whatever size, and each part has a share', async () => {
  await using set = await start()
  await set.state('web', `# Web\n${'state 😀 '.repeat(20_000)}`)
  await set.handoff('web', 'handed '.repeat(10_000))
  for (const budget of [1, 50, 200, 600, 1_800, 10_000, 64_000]) {
    const { bundle, manifest } = await set.boot({ repo: 'web', budget })
    assert.ok(bundle.length <= budget, String(budget))
    assert.equal(manifest.characters, bundle.length)
    assert.ok(bundle.isWellFormed())
    if (budget < 1_000) continue
    assert.ok(bundle.length > budget * 0.9, 'it is used')
    const shown = manifest.parts.filter(({ truncated }: { truncated: boolean }) => truncated)
    assert.deepEqual(
      shown.map(({ title }: { title: string }) => title),
      ['Handoff', 'State'],
    )
  }
  assert.equal((await set.boot({ repo: 'web' })).manifest.budget, 1_800)
  await assert.rejects(set.boot({ budget: 0 }), { code: 'BAD_REQUEST' })
})

test('a code block that is cut is closed, so that it takes in nothing of the parts behind it', async () => {
  await using set = await start()
  for (const [open, close] of [
    ['```ts', '```'],
    ['~~~~', '~~~~'],
    ['````text\n```', '````'],
  ]) {
    await set.state('web', `# Web\n\n${open}\n${'const x = 1\n'.repeat(500)}${close}\n`)
    for (const budget of [700, 1_800]) {
      const { bundle } = await set.boot({ repo: 'web', budget })
      const lines = bundle.split('\n')
      assert.ok(bundle.length <= budget)
      if (!bundle.includes('const x')) continue
      assert.ok(lines.lastIndexOf(close) > lines.lastIndexOf('const x = 1'), bundle)
    }
  }
})

test('what the queue would hand out in the repo comes next', async () => {
  await using set = await start()
  const { task } = await set.gateway.call('tasks_create', { repo: 'web', title: 'Mend the login', priority: 'P0' })
  assert.ok((await set.boot({ repo: 'web' })).brief.next.includes(`task \`${task.taskId}\` (P0): Mend the login`))
  assert.equal((await set.boot()).brief.next, '')
})

test('without a query nothing is searched; with one the sources are, and tools to recall with are named', async () => {
  const asked: object[] = []
  const source = recall({
    source: 'lore',
    tool: 'state_read',
    async search(request) {
      asked.push(request)
      return Array.from({ length: 10 }, (_, at) => ({ content: `lore ${at} ${'x'.repeat(2_000)}`, title: 'T' }))
    },
  })
  await using set = await start([source])
  await set.handoff('web', 'The login uses cookies.')
  await set.handoff('hub', 'The login of the hub.')
  await set.boot({ repo: 'web', expandLimit: 8 })
  assert.deepEqual(asked, [])
  const { snippets, lazyRecall } = await set.boot({ repo: 'web', query: 'login cookies' })
  assert.deepEqual(asked, [{ query: 'login cookies', nearRepo: 'web', limit: 4, repo: 'web' }])
  assert.deepEqual(
    snippets.map(({ source, content }: { source: string; content: string }) => [source, content.slice(0, 6)]),
    [
      ['handoff', 'The lo'],
      ['lore', 'lore 0'],
      ['lore', 'lore 1'],
      ['lore', 'lore 2'],
    ],
  )
  assert.deepEqual([snippets[1].content.length, snippets[1].truncated], [800, true])
  assert.deepEqual(lazyRecall, ['handoff_read', 'state_read'])
})

test('expandLimit is cut to eight', async () => {
  await using set = await start()
  for (let at = 0; at < 12; at++) await set.handoff('web', `login ${at}`)
  const count = async (args: object) => (await set.boot({ repo: 'web', query: 'login', ...args })).snippets.length
  assert.deepEqual(
    [await count({}), await count({ expandLimit: 2 }), await count({ expandLimit: 100 }), await count({ expandLimit: 0 })],
    [4, 2, 8, 0],
  )
})

test('crossProject tells of other repos and searches them, and without it they are not there', async () => {
  await using set = await start()
  await set.handoff('web', 'Web login.')
  await set.handoff('hub', 'Hub login.', { summary: 'Of the hub' })
  const own = await set.boot({ repo: 'web', query: 'login' })
  assert.doesNotMatch(JSON.stringify(own), /Hub login|Of the hub/)
  const all = await set.boot({ repo: 'web', query: 'login', crossProject: true })
  assert.match(below(all.bundle), /## Other repos\n- `hub` .*Of the hub/)
  assert.deepEqual(all.snippets.map(({ repo }: { repo: string }) => repo).sort(), ['hub', 'web'])
})

test('parts of other families stand in their places and order; one that fails is left out and logged', async () => {
  const broken = part({ title: 'Broken', order: 1, place: 'volatile', render: () => Promise.reject(new Error('no')) })
  await using set = await start([broken])
  await set.gateway.call('tasks_create', { repo: 'web', title: 'Mend it' })
  const { bundle } = await set.boot({ repo: 'web' })
  assert.doesNotMatch(bundle, /Broken/)
  assert.ok(set.gateway.logs.some(({ part }) => part === 'Broken'))
  assert.match(below(bundle), /## Task queue\n1 ready/, 'a section of the SDK')
})

test('a part that takes longer than partMilliseconds is left out and logged', async () => {
  const slow = part({ title: 'Slow', order: 1, place: 'volatile', render: () => new Promise<string>(() => {}) })
  await using set = await start([slow], { partMilliseconds: 10 })
  assert.doesNotMatch((await set.boot({ repo: 'web' })).bundle, /Slow/)
  assert.ok(set.gateway.logs.some(({ part }) => part === 'Slow'))
})

test('a state file that cannot be read is told, and keeps nobody from beginning', async () => {
  await using set = await start()
  await set.state('web', `\u0000${'x'.repeat(600_000)}`)
  assert.match((await set.boot({ repo: 'web' })).brief.state, /cannot be read: .*at most 524288/)
})

test('another tenant boots into its own', async () => {
  await using set = await start()
  await set.state('web', 'the operator’s')
  await set.handoff('web', 'the operator’s')
  await set.handoff('web', 'theirs', {}, ACME)
  const { bundle, brief } = await set.boot({ repo: 'web', crossProject: true, query: 'operator theirs' }, ACME)
  assert.match(brief.handoff, /theirs/)
  assert.doesNotMatch(bundle, /the operator’s|folder/)
  assert.match(brief.who, /`eve` \(role owner\) in tenant `acme`/)
})

test('the operator’s MCP clients are given the bundle of the master repo when they connect, in both eras, and other callers are not', async () => {
  await using set = await start()
  await set.state('hub', '# Hub\n\nAll is well.\n')
  const booted = await set.boot()
  await set.gateway.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  const { apiKey } = await set.gateway.tenants.issueKey('acme', { role: 'owner', environment: 'test' })
  for (const era of [atInitialize, atDiscover]) {
    const instructions = await era(set.gateway)
    assert.match(instructions, /^# Gateway /)
    assert.ok(instructions.endsWith(booted.bundle))
    assert.match(instructions, /All is well/)
    const others = await era(set.gateway, { 'x-api-key': apiKey })
    assert.match(others, /^# Gateway /)
    assert.doesNotMatch(others, /All is well|Context of/)
  }
})

test('connectBudget 0 leaves the sections there', async () => {
  await using set = await start([], { connectBudget: 0 })
  await set.gateway.call('tasks_create', { repo: 'web', title: 'Mend it' })
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
  const { instructions } = (await set.gateway.inject({ method: 'POST', url: '/mcp', body })).json().result
  assert.doesNotMatch(instructions, /Context of/)
  assert.match(instructions, /## Task queue/)
})

async function atInitialize(gateway: TestGateway, headers: Record<string, string> = {}): Promise<string> {
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
  return (await gateway.inject({ method: 'POST', url: '/mcp', body, headers })).json().result.instructions
}

async function atDiscover(gateway: TestGateway, more: Record<string, string> = {}): Promise<string> {
  const [method, version] = ['server/discover', '2026-07-28']
  const meta = 'io.modelcontextprotocol/'
  const _meta = {
    [`${meta}protocolVersion`]: version,
    [`${meta}clientInfo`]: { name: 't', version: '1' },
    [`${meta}clientCapabilities`]: {},
  }
  const headers = { 'mcp-protocol-version': version, 'mcp-method': method, accept: 'application/json, text/event-stream', ...more }
  const body = { jsonrpc: '2.0', id: 1, method, params: { _meta } }
  return (await gateway.inject({ method: 'POST', url: '/mcp', headers, body })).json().result.instructions
}

test('a bundle names the tools that a call would reach: all of them for a viewer while roles are not enforced', async () => {
  const viewer = { as: { tenantId: 'acme', id: 'vera', kind: 'user', role: 'viewer' } } as const
  for (const [RBAC_ENFORCE, isNamed] of [
    ['off', true],
    ['on', false],
  ] as const) {
    await using set = await start([], {}, { RBAC_ENFORCE })
    const { bundle } = await set.boot({ repo: 'web' }, viewer)
    assert.deepEqual([bundle.includes('`state_read`'), bundle.includes('`state_update`')], [true, isNamed], RBAC_ENFORCE)
  }
})

test('a bundle does not name a tool that the scope of a token excludes, also while roles are not enforced', async () => {
  await using set = await start()
  const reader = { as: { tenantId: 'acme', id: 'olga', kind: 'user', role: 'owner', scopes: ['read'] } } as const
  const { bundle } = await set.boot({ repo: 'web' }, reader)
  assert.deepEqual([bundle.includes('`state_read`'), bundle.includes('`state_update`')], [true, false])
})
