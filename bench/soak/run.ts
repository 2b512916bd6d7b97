/**
 * `npm run soak`: many agents at human pace against one gateway whose clock runs faster, with a restart every simulated hour and one
 * noisy tenant. Prints latencies, memory, descriptors, the size of the store, and what was lost, stuck or shown to another tenant.
 *
 *  --minutes=60 length in real time --speed=24 simulated time for real time --tenants=100 --agents=10 of each tenant --pace=120 simulated
 * seconds between two acts of an agent --write also write docs/soak.md
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { HOUR_MS } from '@gateway/sdk'
import { filesUnder } from '../../scripts/workspaces.mjs'
import { type GatewayProcess, warmGateway } from '../../test/crash/gateway/spawn.ts'
import { seeded } from '../../test/crash/powercut/random.ts'
import { machine } from '../machine.ts'
import { type Agent, act } from './acts.ts'
import { audit } from './audit.ts'
import { SoakClient } from './client.ts'
import { type Sample, soakMarkdown } from './report.ts'
import { markOf, newLedger, type SoakTenant } from './tenant.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    speed: { type: 'string', default: '24' },
    tenants: { type: 'string', default: '100' },
    agents: { type: 'string', default: '10' },
    pace: { type: 'string', default: '120' },
    write: { type: 'boolean', default: false },
  },
})
const [minutes, speed, tenantCount, agentCount, pace] = [values.minutes, values.speed, values.tenants, values.agents, values.pace].map(
  Number,
) as [number, number, number, number, number]

const MIB = 1024 * 1024
/** The noisy tenant's pace, as a multiple of the others'. */
const NOISE = 50
const ADMIN = 'the-admin-token-of-the-soak'
const program = join(import.meta.dirname, 'gateway.ts')

const dataDir = mkdtempSync(join(tmpdir(), 'gateway-soak-'))
const base = Date.now()
const env = {
  GATEWAY_DATA_DIR: dataDir,
  GATEWAY_PORT: '0',
  ADMIN_API_TOKEN: ADMIN,
  GATEWAY_CALLS_PER_MINUTE_PER_KEY: '0',
  SYNTHETIC_CANARY_DISABLED: '1',
  CLOCK_BASE: String(base),
  CLOCK_SPEED: String(speed),
}
const simulated = (): number => base + (Date.now() - base) * speed
const random = seeded(20_260_105)
const client = new SoakClient()
const samples: Sample[] = []
const machineBefore = machine(dataDir)
/** Milliseconds of each restart, from the signal to the first address of the next process. */
const absences: number[] = []
let gateway: GatewayProcess = await warmGateway(program).start(env)
client.url = gateway.url
const ends = Date.now() + minutes * 60_000

try {
  const tenants = await createTenants()
  const agents = tenants.flatMap((tenant) => Array.from({ length: agentCount }, (_, n): Agent => ({ tenant, name: `agent-${n}` })))
  await Promise.all([...agents.map(live), restartHourly(), makeNoise()])
  samples.push(await sample())
  const findings = await audit(client, tenants, simulated())
  const report = soakMarkdown({
    machine: machineBefore,
    tenants: tenantCount,
    agents: agentCount,
    minutes,
    speed,
    absences,
    measured: client.measured,
    samples,
    counts: client.counts,
    findings,
    noise: NOISE,
    loadAfter: loadavg()[0] ?? 0,
  })
  console.log(report)
  if (values.write) writeFileSync(new URL('../../docs/soak.md', import.meta.url), report)
  const isSound = findings.lost.length + findings.stuck.length + client.counts.crossed.length + client.counts.failed.size === 0
  process.exitCode = isSound ? 0 : 1
} finally {
  client.hasEnded = true
  await gateway.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function createTenants(): Promise<SoakTenant[]> {
  const tenants: SoakTenant[] = []
  for (let n = 0; n < tenantCount; n++) {
    const tenantId = `soak-${n}`
    const response = await fetch(`${client.url}/api/tenants`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-admin-token': ADMIN },
      body: JSON.stringify({ name: tenantId, tenantId }),
    })
    if (response.status !== 201) throw new Error(`tenant ${tenantId} was not created: ${await response.text()}`)
    const { apiKey } = (await response.json()) as { apiKey: string }
    tenants.push({ tenantId, apiKey, mark: markOf(n), isNoisy: n === 0, ledger: newLedger() })
  }
  return tenants
}

/** Acts at the pace of a person, more or less; agents begin at different times. */
async function live(agent: Agent): Promise<void> {
  const pauseMs = (): number => {
    const isLoud = agent.tenant.isNoisy && client.isLoud
    return (-Math.log(1 - random()) * pace * 1_000) / speed / (isLoud ? NOISE : 1)
  }
  for (;;) {
    const next = Date.now() + pauseMs()
    if (next >= ends) return
    await sleep(next - Date.now())
    await act(client, agent, random)
  }
}

/** The noisy tenant is loud in the middle half of each simulated hour, so that no restart falls into it. */
async function makeNoise(): Promise<void> {
  for (let quarter = 1; Date.now() < ends; quarter += 2) {
    const change = Math.min(base + (quarter * HOUR_MS) / 4 / speed, ends)
    await sleep(Math.max(0, change - Date.now()))
    client.isLoud = quarter % 4 === 1
  }
}

async function restartHourly(): Promise<void> {
  for (let hour = 1; base + (hour * HOUR_MS) / speed < ends; hour++) {
    const spare = warmGateway(program)
    await sleep(Math.max(0, base + (hour * HOUR_MS) / speed - Date.now()))
    await spare.ready
    samples.push(await sample())
    const stopped = performance.now()
    await gateway.stop()
    gateway = await spare.start(env)
    client.url = gateway.url
    client.restartedAt = performance.now()
    absences.push(client.restartedAt - stopped)
  }
}

async function sample(): Promise<Sample> {
  const { heapUsed, rss, sockets } = await gateway.memory()
  const size = [...filesUnder(dataDir)].reduce((sum, { path }) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
  const descriptors = gateway.descriptors()
  return {
    hour: (simulated() - base) / HOUR_MS,
    heapMiB: heapUsed / MIB,
    rssMiB: rss / MIB,
    descriptors: descriptors ?? sockets,
    storeMiB: size / MIB,
  }
}
