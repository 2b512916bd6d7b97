import type { ServiceClient } from '@gateway/sdk'
import { within } from '@gateway/sdk/bounds'
import { redacted } from '../rules/environment.ts'

const BATCH = 500
const FLUSH_MS = 500
/** Lines that wait while the gateway does not answer; further ones are only counted. */
const MAX_WAITING = 5_000
const MAX_MESSAGE = 8_000
/** Longest time for which the end of a run waits for its last lines. */
const END_MS = 20_000

interface Line {
  readonly correlationId: string
  readonly service: 'agent' | 'runner'
  readonly level: 'info' | 'warn'
  readonly message: string
}

/** Sends the output of a run to the gateway in batches, at most `max` lines of it. It never fails and never delays the run. */
export class LogLines {
  private waiting: Line[] = []
  private taken = 0
  private dropped = 0
  private sending: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private readonly client: ServiceClient
  private readonly taskId: string
  private readonly max: number
  private readonly secrets: readonly string[]

  constructor(client: ServiceClient, taskId: string, max: number, secrets: readonly string[]) {
    this.client = client
    this.taskId = taskId
    this.max = max
    this.secrets = secrets
  }

  add(message: string, service: Line['service'] = 'agent', level: Line['level'] = 'info'): void {
    if (message === '') return
    if (service === 'agent' && (this.taken >= this.max || this.waiting.length >= MAX_WAITING)) {
      this.dropped++
      return
    }
    if (service === 'agent') this.taken++
    const text = redacted(message.slice(0, MAX_MESSAGE), this.secrets)
    this.waiting.push({ correlationId: this.taskId, service, level, message: text })
    this.sendSoon()
  }

  /** Sends what waits, one batch at a time: while the gateway takes none, further lines wait here and are bounded. */
  private async send(): Promise<void> {
    do {
      const lines = this.waiting.splice(0, BATCH)
      await this.client.post('/api/logs/batch', { lines }).catch(() => undefined)
    } while (this.waiting.length >= BATCH)
    this.sending = undefined
    if (this.waiting.length > 0) this.sendSoon()
  }

  private sendSoon(): void {
    if (this.sending !== undefined) return
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.sending ??= this.send()
    }, FLUSH_MS)
  }

  /** Sends the rest, or drops it if that takes too long. */
  async end(): Promise<void> {
    if (this.dropped > 0) this.add(`${this.dropped} more lines of output were not sent.`, 'runner', 'warn')
    this.dropped = 0
    await within(this.sendRest(), END_MS, undefined)
    this.waiting = []
    clearTimeout(this.timer)
  }

  private async sendRest(): Promise<void> {
    await this.sending
    while (this.waiting.length > 0) await (this.sending ??= this.send())
  }
}
