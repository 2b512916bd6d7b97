import { setTimeout as sleep } from 'node:timers/promises'
import { foreignMarks, type SoakTenant } from './tenant.ts'

export interface Measured {
  readonly family: string
  readonly ms: number
  readonly isNoisyTenant: boolean
  /** True while the noisy tenant is loud. */
  readonly duringNoise: boolean
  /** Milliseconds of real time since the gateway came back last; Infinity before its first restart. */
  readonly sinceRestartMs: number
}

export interface Counts {
  /** Calls that met a gateway that stops or starts, and were sent again. */
  retried: number
  refused: Map<string, number>
  failed: Map<string, number>
  crossed: string[]
}

/** Pauses before a call is repeated are random up to a limit that doubles, as clients are advised to do. */
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000
/** A gateway that does not come back within these has failed. */
const MAX_RETRIES = 60
const pauseMs = (attempt: number): number => Math.random() * Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt)

/** Sends the calls of all agents to the gateway of the moment, and measures them. */
export class SoakClient {
  url = ''
  isLoud = false
  hasEnded = false
  restartedAt = Number.NEGATIVE_INFINITY
  readonly measured: Measured[] = []
  readonly counts: Counts = { retried: 0, refused: new Map(), failed: new Map(), crossed: [] }
  #keys = 0

  /** Repeated with its key until it is answered; undefined if it was refused. */
  call(tenant: SoakTenant, family: string, tool: string, args: object): Promise<Record<string, unknown> | undefined> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': `soak-${process.pid}-${this.#keys++}` }
    return this.#insist(tenant, family, tool, `/api/tools/${tool}`, { method: 'POST', headers, body: JSON.stringify(args) })
  }

  /** GET of a route, repeated until it is answered; undefined if it was refused. */
  read(tenant: SoakTenant, family: string, path: string): Promise<Record<string, unknown> | undefined> {
    return this.#insist(tenant, family, path, path, {})
  }

  async #insist(
    tenant: SoakTenant,
    family: string,
    tool: string,
    path: string,
    request: RequestInit,
  ): Promise<Record<string, unknown> | undefined> {
    for (let attempt = 0; attempt < MAX_RETRIES && !this.hasEnded; attempt++) {
      const asked = performance.now()
      const duringNoise = this.isLoud
      const sinceRestartMs = asked - this.restartedAt
      const answer = await this.#send(tenant, path, request)
      if (answer === undefined || answer.status === 503 || answer.text.includes('"IDEMPOTENCY_IN_PROGRESS"')) {
        this.counts.retried++
        await sleep(pauseMs(attempt))
        continue
      }
      this.measured.push({ family, ms: performance.now() - asked, isNoisyTenant: tenant.isNoisy, duringNoise, sinceRestartMs })
      for (const mark of foreignMarks(answer.text, tenant.mark)) this.counts.crossed.push(`${tool} showed ${mark} to ${tenant.tenantId}`)
      const json = JSON.parse(answer.text) as Record<string, unknown>
      if (answer.status < 300) return json
      const counts = answer.status >= 500 ? this.counts.failed : this.counts.refused
      const name = `${tool} ${answer.status} ${String(json.code)}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
      return undefined
    }
    if (!this.hasEnded) throw new Error(`${tool} was not answered ${MAX_RETRIES} times`)
    return undefined
  }

  async #send(tenant: SoakTenant, path: string, request: RequestInit): Promise<{ status: number; text: string } | undefined> {
    try {
      const response = await fetch(this.url + path, { ...request, headers: { ...request.headers, 'x-api-key': tenant.apiKey } })
      return { status: response.status, text: await response.text() }
    } catch {
      return undefined
    }
  }
}
