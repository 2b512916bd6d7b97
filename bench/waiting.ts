import { Agent, request } from 'node:http'
import { quantile } from './median.ts'
import type { Plan } from './plan.ts'
import { type Server, startGateway } from './processes.ts'

const CALLS = 5_000
/** Calls opened at once, so that the queue of new connections does not overflow. */
const AT_ONCE = 100
const WAIT_SECONDS = 55

export interface WaitingFigures {
  /** KiB of the process for a waiting call, beyond an idle connection. */
  readonly kibPerCall: number
  /** Milliseconds from sending a message to the answer of the call that waited for it. */
  readonly p50: number
  readonly p99: number
  /** CPU time of the process in a second in which nothing happens. */
  readonly idleCpuMs: number
}

/** Measures calls of mail_inbox that wait, each for its own address, over a connection each. */
export async function measureWaiting({ folder }: Pick<Plan, 'folder'>): Promise<WaitingFigures> {
  // The connections are opened at once, and a sender must not be refused.
  const gateway = await startGateway(folder(), { settings: { GATEWAY_MAX_IN_FLIGHT: '20000' } })
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: CALLS })
  const call = (tool: string, args: object): Promise<string> => post(gateway, agent, tool, args)
  try {
    for (let i = 0; i < 40; i++) await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => call('mail_inbox', { to: `w${i}-${at}` })))
    await inTurns((to) => call('mail_inbox', { to }), true)
    await quiet()
    const before = gateway.memory()
    const answers: Promise<number>[] = []
    const sentAt = new Map<string, number>()
    await inTurns((to) => {
      answers.push(call('mail_inbox', { to, waitSeconds: WAIT_SECONDS }).then(() => performance.now() - (sentAt.get(to) ?? Number.NaN)))
      return call('mail_inbox', { to: 'nowhere' })
    })
    await quiet()
    const kibPerCall = ((gateway.memory() - before) * 1_024) / CALLS
    const cpu = gateway.cpu()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const idleCpuMs = gateway.cpu() - cpu
    for (let i = 0; i < CALLS; i++) {
      const to = addressOf((i * 7_919) % CALLS)
      sentAt.set(to, performance.now())
      const sent = call('mail_send', { to, subject: 'wake up' })
      if (i % 4 === 3) await sent
    }
    const took = (await Promise.all(answers)).filter((ms) => !Number.isNaN(ms))
    return { kibPerCall, p50: quantile(took, 0.5), p99: quantile(took, 0.99), idleCpuMs }
  } finally {
    agent.destroy()
    await gateway.stop()
  }
}

const addressOf = (i: number): string => `agent-${i}`
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3_000))

/** Begins a call for each address, a few at a time; with `together`, all connections are open at the end. */
async function inTurns(begin: (to: string) => Promise<unknown>, together = false): Promise<void> {
  const all: Promise<unknown>[] = []
  for (let i = 0; i < CALLS; i += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, at) => begin(addressOf(i + at)))
    all.push(...some)
    if (!together) await Promise.all(some)
  }
  await Promise.all(all)
}

function post({ port }: Server, agent: Agent, tool: string, args: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path: `/api/tools/${tool}`, headers, agent }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => (text += piece))
      answer.on('end', () => (answer.statusCode === 200 ? resolve(text) : reject(new Error(`${answer.statusCode}: ${text}`))))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(args))
  })
}

export function waitingMarkdown({ kibPerCall, p50, p99, idleCpuMs }: WaitingFigures): string {
  return [
    `| ${CALLS.toLocaleString('en')} waiting calls of mail_inbox | |`,
    '| --- | --: |',
    `| memory of a waiting call beyond an idle connection, KiB | ${kibPerCall.toFixed(1)} |`,
    `| from sending to the answer, p50, ms | ${p50.toFixed(1)} |`,
    `| from sending to the answer, p99, ms | ${p99.toFixed(1)} |`,
    `| CPU time in a second in which nothing happens, ms | ${idleCpuMs.toFixed(1)} |`,
  ].join('\n')
}
