import { request } from 'node:http'
import { claimSteps, FEW, QUEUE } from './claims.ts'
import type { Figures } from './load.ts'
import { medians } from './median.ts'
import type { Plan } from './plan.ts'
import { load, run, type Server, secrets, startGateway } from './processes.ts'

const GONE = 'gone'
const CONNECTIONS = 4
const WARM_UP = 8
/** Batches of claims per sample: 1,600 claims, so that sixteen lie beyond its p99. */
const LOOK = 2
/** Samples before the erasure, and after it. */
const LOOKS = 8

export interface ErasureFigures {
  readonly documents: number
  /** Duration of the whole erasure, with another tenant at work. */
  readonly seconds: number
  /** Tells if the store's file was rewritten immediately. */
  readonly files: string
  /** `tasks_claim` of another tenant: medians of many samples; those without the erasure come before and after it. */
  readonly claims: { readonly alone: Figures; readonly beside: Figures }
}

/** Measures the cost to other tenants when a large tenant is erased. */
export async function measureErasure({ many, folder }: Pick<Plan, 'many' | 'folder'>): Promise<ErasureFigures> {
  const dataDir = folder()
  const before = await startGateway(dataDir)
  await post(before, '/api/tenants', { name: GONE, tenantId: GONE })
  await before.stop()
  await run('./seed.ts', [dataDir, QUEUE, String(FEW)])
  await run('./seed.ts', [dataDir, QUEUE, String(many), GONE])
  const gateway = await startGateway(dataDir, { settings: { ERASURE_GRACE_DAYS: '0' } })
  const look = async (): Promise<Figures> =>
    (await load({ port: gateway.port, connections: CONNECTIONS, steps: claimSteps(LOOK, 'claims') })).claims as Figures
  try {
    await load({ port: gateway.port, connections: CONNECTIONS, steps: claimSteps(WARM_UP) })
    const alone: Figures[] = []
    const beside: Figures[] = []
    while (alone.length < LOOKS) alone.push(await look())
    await post(gateway, `/api/tenants/${GONE}/erasure`, {})
    const began = performance.now()
    let seconds = 0
    const erased = post(gateway, '/api/tools/erasure_sweep', {}).finally(() => (seconds = (performance.now() - began) / 1_000))
    while (seconds === 0) beside.push(await look())
    const { removed } = (await erased) as { removed: readonly { files: string }[] }
    while (alone.length < 2 * LOOKS) alone.push(await look())
    return {
      documents: many,
      seconds,
      files: removed[0]?.files ?? 'not erased',
      claims: { alone: medians(alone), beside: medians(beside) },
    }
  } finally {
    await gateway.stop()
  }
}

/** Has no timeout: an erasure takes minutes, and `fetch` gives up after five. */
function post({ port }: Server, path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'x-admin-token': secrets.admin }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => {
      let said = ''
      answer.setEncoding('utf8').on('data', (part: string) => (said += part))
      answer.once('end', () =>
        (answer.statusCode ?? 500) < 400 ? resolve(JSON.parse(said)) : reject(new Error(`${path} answered ${answer.statusCode}: ${said}`)),
      )
    })
    sent.once('error', reject).end(JSON.stringify(body))
  })
}

export function erasureMarkdown({ documents, seconds, files, claims: { alone, beside } }: ErasureFigures): string {
  const ms = (value: number): string => value.toFixed(2)
  return (
    `Erasing a tenant with ${documents.toLocaleString('en')} tasks took ${seconds.toFixed(1)} s (files: ${files}). \`tasks_claim\` of another ` +
    `tenant over ${CONNECTIONS} connections: p99 ${ms(alone.p99)} ms without it, ${ms(beside.p99)} ms meanwhile ` +
    `(${(beside.p99 / alone.p99).toFixed(2)}); p50 ${ms(alone.p50)} and ${ms(beside.p50)} ms; ` +
    `${Math.round(alone.perSecond).toLocaleString('en')} and ${Math.round(beside.perSecond).toLocaleString('en')} a second.`
  )
}
