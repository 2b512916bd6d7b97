import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { hold, Ledger } from './brain/ledger.ts'
import { helperOf } from './brain/processes.ts'
import { type GatewayProcess, warmGateway } from './gateway/spawn.ts'
import { caller } from './kill/fleet.ts'
import type { Caller } from './kill/worker.ts'
import { type Random, seeded, upTo } from './powercut/random.ts'

// Agents commit, stash, pop, branch and merge while the gateway or its git helper is killed, in turn. BRAIN_KILLS sets the
// number of kills, KILL_SEED repeats the choices (not the interleaving).
const kills = Number(process.env.BRAIN_KILLS ?? 4)
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)
const AGENTS = 8

it(`after each of ${kills} kills of the gateway or its helper the repository is whole, with all that was answered, once`, {
  timeout: 120_000 + kills * 30_000,
  skip: process.platform !== 'linux' && 'it finds the helper by the files of Linux',
}, async () => {
  const random = seeded(seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-brain-kill-'))
  const ledger = new Ledger()
  let gateway = await warmGateway().start({ GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0' })
  try {
    for (let n = 1; n <= kills; n++) {
      const helper = n % 2 === 0
      await work(gateway, `r${n}`, ledger, random, () => (helper ? killHelper(dataDir) : gateway.kill()))
      if (!helper) gateway = await warmGateway().start({ GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0' })
      await asking(gateway, (call) => hold(ledger, join(dataDir, 'brains', 'local.git'), call))
    }
    assert.ok(ledger.committed.size > kills, 'there was something to lose')
    if (process.env.BRAIN_KILLS)
      console.log(`${ledger.committed.size} atoms, ${ledger.stashed.size} stashes, ${ledger.popped.size} pops answered`)
  } finally {
    await gateway.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

function killHelper(dataDir: string): void {
  const pid = helperOf(dataDir)
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

/** Agents work until the kill and a moment beyond; they must tolerate errors. */
async function work(gateway: GatewayProcess, round: string, ledger: Ledger, random: Random, kill: () => unknown): Promise<void> {
  let over = false
  await asking(gateway, async (call) => {
    await call('brain_checkout', { ref: 'main' })
    const agents = Array.from({ length: AGENTS }, async (_, agent) => {
      for (let n = 0; !over; n++) await step(call, `${round}-${agent}-${n}`, agent, ledger, random).catch(() => sleep(5))
    })
    await sleep(150 + upTo(random, 600))
    await kill()
    await sleep(200)
    over = true
    await Promise.all(agents)
  })
}

async function step(call: Caller, name: string, agent: number, ledger: Ledger, random: Random): Promise<void> {
  const luck = random()
  if (agent === 0 && luck < 0.3) {
    await call('brain_branch', { slug: name, kind: 'session' })
    await call('brain_merge', { branch: `session/${name}` })
  } else if (luck < 0.1) {
    await call('brain_stash', { slug: 'ctx', content: name })
    ledger.stashed.add(name)
  } else if (luck < 0.2) await pop(call, ledger)
  else {
    const { atom } = (await call('brain_commit', { kind: 'session', repo: `repo-${agent}`, slug: name, content: `# ${name}` })) as {
      atom: { commit: string }
    }
    ledger.committed.set(name, atom.commit)
  }
}

async function pop(call: Caller, ledger: Ledger): Promise<void> {
  const popped = await call('brain_pop', { slug: 'ctx' }).catch((error: unknown) => {
    if (!String(error).includes('NOT_FOUND')) ledger.popsUnanswered++
    throw error
  })
  if (ledger.popped.has(popped.content as string)) ledger.broken.push(`the stash ${popped.content} was popped twice`)
  ledger.popped.add(popped.content as string)
}

async function asking<T>({ url }: GatewayProcess, ask: (call: Caller) => Promise<T>): Promise<T> {
  const pool = new Pool(url, { connections: AGENTS })
  try {
    return await ask(caller(pool))
  } finally {
    await pool.destroy()
  }
}
