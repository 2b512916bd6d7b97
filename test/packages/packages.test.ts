import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { root, workspaces } from '../../scripts/workspaces.mjs'
import { run, UNREACHABLE } from '../plugins/outside.ts'

const base = await mkdtemp(join(tmpdir(), 'gateway-packages-'))
after(() => rm(base, { recursive: true, force: true }))

const packed = await run(process.execPath, [join(root, 'scripts', 'pack.mjs'), join(base, 'tarballs')], root)
assert.equal(packed.code, 0, packed.output)
const tarballs = packed.output.trim().split('\n')

const nameOf = (tarball: string): string => basename(tarball).replace(/^gateway-(.*)-\d+\.\d+\.\d+\.tgz$/, '@gateway/$1')
const fileOf = new Map(tarballs.map((tarball) => [nameOf(tarball), `file:${tarball}`]))
const NPM = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-timeout=20000']

/** Installs only these packages of the repository: their dependencies on each other come from the tarballs too. */
async function install(
  name: string,
  wanted: readonly string[],
  others: object = {},
): Promise<{ folder: string } | { unreachable: string }> {
  const folder = join(base, name)
  await mkdir(folder)
  const dependencies = { ...Object.fromEntries(wanted.map((one) => [one, fileOf.get(one)])), ...others }
  const manifest = { name, private: true, type: 'module', dependencies, overrides: Object.fromEntries(fileOf) }
  for (const one of wanted) delete manifest.overrides[one]
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const installed = await run('npm', ['install', ...NPM], folder)
  if (installed.code === 0) return { folder }
  const code = UNREACHABLE.exec(installed.output)?.[0]
  if (code === undefined) throw new Error(installed.output)
  return { unreachable: `npm reaches no registry: ${code}` }
}

const service = await install('service', ['@gateway/gateway'])
const reason = 'unreachable' in service ? service.unreachable : undefined
const folder = 'folder' in service ? service.folder : ''
const promise = (name: string): string => (reason === undefined ? name : `${name} (skipped: ${reason})`)
const options = { skip: reason ?? false }

test('every package of this project that is not private is packed, with what its manifest lists', async () => {
  const manifests = await Promise.all(
    [...workspaces(), 'bin'].map(async (workspace) => JSON.parse(await readFile(join(root, workspace, 'package.json'), 'utf8'))),
  )
  const published = manifests.filter(({ private: isPrivate }) => !isPrivate).map(({ name }) => name)
  assert.deepEqual([...fileOf.keys()].toSorted(), published.toSorted())
})

interface Answered {
  // biome-ignore lint/suspicious/noExplicitAny: the test knows what it asked for
  readonly result: { readonly structuredContent: any }
}

/** Returns the first lines of a service, until its list of plugins ends. */
async function started(child: ChildProcess): Promise<readonly string[]> {
  const said: string[] = []
  let log = ''
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout as never }).on('line', (line) => {
      said.push(line)
      if (line.startsWith('└─')) resolve()
    })
    exited.then(([code]) => reject(new Error(`it ended with ${String(code)}: ${log}`)), reject)
  })
  return said
}

test(
  promise('installed in an empty folder, `npx gateway start` serves every family, and nothing of the sources is there'),
  options,
  async () => {
    const installed = await readdir(join(folder, 'node_modules', '@gateway'))
    for (const name of ['cli', 'standard', 'kernel', 'sdk', 'plugin-tasks']) assert.ok(installed.includes(name), name)
    assert.deepEqual((await readdir(join(folder, 'node_modules', '@gateway', 'kernel'))).toSorted(), [
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
    ])
    const version = await run('npx', ['--no-install', 'gateway', 'version'], folder)
    assert.match(version.output, /^gateway \d+\.\d+\.\d+ \(Node /m)

    const { PATH = '', HOME = '' } = process.env
    const env = { PATH, HOME, GATEWAY_PORT: '0', GATEWAY_DATA_DIR: join(base, 'data'), GATEWAY_EMBEDDINGS: 'off' }
    const child = spawn(process.execPath, [join(folder, 'node_modules', '.bin', 'gateway'), 'start'], { cwd: folder, env })
    try {
      const said = await started(child)
      const url = /http:\/\/[\w.:]+/.exec(said.join('\n'))?.[0] ?? ''
      assert.doesNotMatch(said.join('\n'), /failed/)
      const call = async (name: string, args: object) => {
        const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
        const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
        return ((await response.json()) as Answered).result
      }
      const { task } = (await call('tasks_create', { repo: 'web', title: 'Ship it', priority: 'P1' })).structuredContent
      const claimed = await fetch(`${url}/api/tools/tasks_claim`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ claimedBy: 'me' }),
      })
      assert.equal(((await claimed.json()) as { task: { taskId: string } }).task.taskId, task.taskId)
      // A package's other files are present: the bundled agents, and the helper process that git runs in.
      assert.ok((await call('agents_list', {})).structuredContent.count > 0)
      const commit = await call('brain_commit', { kind: 'memory', slug: 'packed', topic: 'Packed', content: 'From a package.' })
      assert.ok(commit.structuredContent, JSON.stringify(commit))
    } finally {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      assert.deepEqual(await exited, [0, null])
    }
  },
)

test(promise('a plugin of a third party builds against the packages, the ./api of a family among them'), options, async () => {
  const there = await install('third-party', ['@gateway/sdk', '@gateway/plugin-tasks'], { typescript: '^7.0.2', '@types/node': '^20.19.0' })
  assert.ok('folder' in there, JSON.stringify(there))
  await cp(join(root, 'examples', 'claim-guard', 'src'), join(there.folder, 'src'), { recursive: true })
  await writeFile(
    join(there.folder, 'wrong.ts'),
    "import { claimGate } from '@gateway/plugin-tasks/api'\n\nexport const wrong: string = claimGate.id.length\n",
  )
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  }
  await writeFile(join(there.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  const compiled = await run('npx', ['--no-install', 'tsc'], there.folder)
  assert.equal(compiled.code, 0, compiled.output)
  // Missing declarations would make everything `any`, and anything compile.
  await writeFile(join(there.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['wrong.ts'] }))
  const refused = await run('npx', ['--no-install', 'tsc'], there.folder)
  assert.match(refused.output, /Type 'number' is not assignable to type 'string'/)
})
