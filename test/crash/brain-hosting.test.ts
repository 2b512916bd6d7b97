import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/ports.ts'
import { GitClient, hostedBrain } from './brain/client.ts'
import { type GatewayProcess, warmGateway } from './gateway/spawn.ts'
import { seeded, upTo } from './powercut/random.ts'

// BRAIN_KILLS sets the number of kills, KILL_SEED repeats the moments; BRAIN_CLONE_MEGABYTES sets the size of the cloned brain.
const kills = Number(process.env.BRAIN_KILLS ?? 4)
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)
const megabytes = Number(process.env.BRAIN_CLONE_MEGABYTES ?? 40)
const skip = process.platform !== 'linux' && 'it looks at processes by the files of Linux'

async function hosted(work: (start: () => Promise<GatewayProcess>, dataDir: string, clients: string) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-hosting-'))
  const clients = mkdtempSync(join(tmpdir(), 'gateway-clients-'))
  const env = {
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_PORT: String(await freePort()),
    GATEWAY_PUBLIC_URL: 'https://gateway.example.com',
    GATEWAY_LOOPBACK_TRUST: '1',
  }
  let gateway: GatewayProcess | undefined
  try {
    await work(async () => (gateway = await warmGateway().start(env)), dataDir, clients)
  } finally {
    await gateway?.kill()
    for (const folder of [dataDir, clients]) rmSync(folder, { recursive: true, force: true })
  }
}

it(
  `after each of ${kills} kills in the middle of a push the repository is whole, and a push is there as a whole or not at all`,
  {
    timeout: 120_000 + kills * 30_000,
    skip,
  },
  () =>
    hosted(async (start, dataDir, clients) => {
      const random = seeded(seed)
      const repository = join(dataDir, 'brains', 'local.git')
      const inside = (...args: string[]): string =>
        execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', env: { PATH: process.env.PATH } }).trim()
      const call = async (gateway: GatewayProcess, tool: string, body: object): Promise<unknown> =>
        (
          await fetch(`${gateway.url}/api/tools/${tool}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        ).json()

      let gateway = await start()
      await call(gateway, 'brain_commit', { kind: 'session', repo: 'web', slug: 'first', content: '# First' })
      const client = new GitClient(clients)
      await client.run('clone', '-q', await hostedBrain(gateway), '.')
      for (let n = 0; n < kills; n++) {
        const before = inside('rev-parse', 'main')
        const pushed = await client.commitAtoms(`push-${n}`, 20, 50)
        const push = client.start('push', '-q', 'origin', 'HEAD:main')
        const ended = once(push, 'exit')
        await sleep(upTo(random, 500))
        await gateway.kill()
        const [code] = await ended
        gateway = await start()
        assert.equal(inside('fsck', '--strict', '--no-dangling'), '')
        const main = inside('rev-parse', 'main')
        assert.ok(
          main === pushed || (main === before && code !== 0),
          `main is ${main}, which was ${before}; pushed was ${pushed}, code ${code}`,
        )
        // A rejected push is repeated: the first try left nothing in its way.
        await client.run('push', '-q', 'origin', 'HEAD:main')
        assert.equal(inside('rev-parse', 'main'), pushed)
        const { atoms } = (await call(gateway, 'brain_status', {})) as { atoms: { total: number } }
        const onMain = inside('ls-tree', '-r', '--name-only', 'main')
          .split('\n')
          .filter((path) => path.startsWith('repos/') && path.endsWith('.md'))
        assert.equal(atoms.total, onMain.length, 'the index is right')
      }
    }),
)

it(`a brain of ${megabytes} MB is cloned without the gateway holding it`, { timeout: 300_000, skip }, () =>
  hosted(async (start, dataDir, clients) => {
    const gateway = await start()
    const remote = await hostedBrain(gateway)
    const client = new GitClient(clients)
    await client.run('clone', '-q', remote, 'source')
    const source = new GitClient(join(clients, 'source'))
    for (let i = 0; i < megabytes / 10; i++) {
      await source.commitAtoms(`large-${i}`, 10, 1_000)
      await source.run('push', '-q', 'origin', 'HEAD:main')
    }
    await client.run('clone', '-q', '--bare', remote, 'warm')
    const process = `/proc/${/"pid":\s*(\d+)/.exec(readFileSync(join(dataDir, 'process', 'owner.json'), 'utf8'))?.[1]}`
    const kilobytes = (field: string): number =>
      Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`${process}/status`, 'utf8'))?.[1])
    // Writing 5 resets the peak.
    writeFileSync(`${process}/clear_refs`, '5')
    const before = kilobytes('VmRSS')
    await client.run('clone', '-q', '--bare', remote, 'measured')
    const grown = (kilobytes('VmHWM') - before) / 1024
    assert.ok(grown < 30, `the gateway grew by ${grown.toFixed(1)} MiB`)
  }),
)
