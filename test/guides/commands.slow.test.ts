/**
 * README and docs/operations.md work as printed: each block of `sh` is run against a real service, or gives its reason not to
 * in a hidden comment before it (`<!-- not run: … -->`). Each command within a sentence is run too. Placeholders are filled in.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { compiled } from '../../scripts/typescript/options.mjs'
import { root } from '../../scripts/workspaces.mjs'

const ADMIN = 'an-admin-token-of-the-tests'
const LOCAL = 'a-local-token-of-the-tests'
const BLOCK = /(?:^<!-- not run: ([^\n]+?) -->\n)?^```(?:sh|nginx|caddyfile)\n(.*?)^```/gms
const PAGES = ['README.md', 'docs/operations.md']

let folder: string
let service: ChildProcess
let port: string
let tenant: { readonly id: string; readonly key: string }

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-pages-'))
  await mkdir(join(folder, 'bin'))
  await mkdir(join(folder, 'backups'))
  // The commands as they are printed begin with `node`; here they compile TypeScript as they load it.
  const quoted = [process.execPath, ...compiled].map((part) => `'${part}'`).join(' ')
  await writeFile(join(folder, 'bin', 'node'), `#!/bin/sh\nexec ${quoted} "$@"\n`)
  await chmod(join(folder, 'bin', 'node'), 0o755)
  service = spawn(process.execPath, [...compiled, join(root, 'bin/gateway.js'), 'start', '--json'], {
    cwd: folder,
    env: { ...environment(), GATEWAY_PORT: '0', ADMIN_API_TOKEN: ADMIN, GATEWAY_LOCAL_TOKEN: LOCAL },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: service.stdout as never }), 'line')) as [string]
  port = new URL((JSON.parse(line) as { url: string }).url).port
  const created = await shell('node bin/gateway.js tenant create given', { ADMIN_API_TOKEN: ADMIN })
  tenant = { id: /\bt-\w+/.exec(created)?.[0] ?? '', key: /\bgw_live_\w+/.exec(created)?.[0] ?? '' }
})
after(async () => {
  const ended = once(service, 'exit')
  service.kill('SIGTERM')
  await ended
  await rm(folder, { recursive: true, force: true })
})

function environment(): Record<string, string> {
  const { PATH = '' } = process.env
  return {
    PATH: `${join(folder, 'bin')}:${PATH}`,
    HOME: folder,
    GATEWAY_DATA_DIR: join(folder, 'data'),
    GATEWAY_LOG_LEVEL: 'warn',
    GATEWAY_EMBEDDINGS: 'off',
  }
}

/** Returns the output of a script, which ends at the first command that fails. */
async function shell(script: string, env: Record<string, string> = {}, cwd = root): Promise<string> {
  return await new Promise((resolve, reject) => {
    const options = { cwd, env: { ...environment(), GATEWAY_PORT: port, ...env } }
    execFile('sh', ['-euc', script], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${script}\n${stdout}\n${stderr}`))
      else resolve(stdout)
    })
  })
}

/** Fills in the values of a reader. */
function filledIn(script: string): string {
  return script
    .replace('ADMIN_API_TOKEN=…', `ADMIN_API_TOKEN=${ADMIN}`)
    .replace('GATEWAY_LOCAL_TOKEN=…', `GATEWAY_LOCAL_TOKEN=${LOCAL}`)
    .replaceAll('gw_live_…', tenant.key)
    .replaceAll('t-…', tenant.id)
    .replaceAll('https://gateway.example', `http://127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:7411', `127.0.0.1:${port}`)
    .replaceAll('/backups/', `${join(folder, 'backups')}/`)
    .replaceAll('/var/lib/', `${folder}/`)
}

const text = new Map(await Promise.all(PAGES.map(async (page) => [page, await readFile(join(root, page), 'utf8')] as const)))
const blocks = (page: string) => [...(text.get(page) ?? '').matchAll(BLOCK)].map(([whole, reason, body = '']) => ({ whole, reason, body }))

/** Commands within sentences that are not run, each with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'backup --without-store': 'it needs a MongoDB',
  login: 'what stands there is its name; README has it in a block',
  'runner start': 'it runs until it is stopped; plugins/runner/test has the tutorial',
  mcp: 'it waits for its client; bin/cli/test/mcp.test.ts is one',
  'service install': 'it would start a service of whoever runs the tests',
}
const SPAN = /`(?:node bin\/gateway\.js|gateway) ([a-z][^`…]*)`/g
const spans = new Set([...text.values()].flatMap((page) => [...page.matchAll(SPAN)].map(([, command = '']) => command)))

for (const command of spans) {
  if (command in ELSEWHERE) continue
  test(`within a sentence: gateway ${command}`, async () => {
    await shell(`node ${join(root, 'bin/gateway.js')} ${command}`, { ADMIN_API_TOKEN: ADMIN, GATEWAY_LOCAL_TOKEN: LOCAL }, folder)
  })
}

test('what is not run of them stands in a page', () => {
  for (const command of Object.keys(ELSEWHERE)) assert.ok(spans.has(command), command)
})

for (const page of PAGES) {
  for (const { whole, reason, body } of blocks(page)) {
    if (reason !== undefined || !whole.includes('```sh\n')) continue
    test(`${page}: ${body.split('\n')[0]}`, async () => {
      await shell(filledIn(body))
      assert.doesNotMatch(filledIn(body), /…/, 'nothing is left for the reader to guess')
    })
  }

  test(`${page}: what is not run says why`, () => {
    for (const { reason } of blocks(page)) if (reason !== undefined) assert.match(reason, /^[a-z].{10,}$/)
  })
}
