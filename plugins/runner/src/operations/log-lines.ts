import type { ServiceClient } from '@gateway/sdk'
import { redacted } from '../rules/environment.ts'

const BATCH = 500
const FLUSH_MS = 500
/** Lines that wait while the gateway does not answer; further ones are only counted. */
const MAX_WAITING = 5_000
const MAX_MESSAGE = 8_000

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
  private sending: Promise<void> = Promise.resolve()
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
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS)
  }

  private flush(): void {
    this.timer = undefined
    const lines = this.waiting.splice(0)
    this.sending = this.sending.then(async () => {
      for (let at = 0; at < lines.length; at += BATCH) {
        await this.client.post('/api/logs/batch', { lines: lines.slice(at, at + BATCH) }).catch(() => undefined)
      }
    })
  }

  /** Sends the rest. */
  async end(): Promise<void> {
    if (this.dropped > 0) this.add(`${this.dropped} more lines of output were not sent.`, 'runner', 'warn')
    clearTimeout(this.timer)
    this.flush()
    await this.sending
  }
}
