import assert from 'node:assert/strict'

/** A tenant that continues to claim tasks while another one misbehaves. */
export class Bystander {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(url: string, apiKey: string) {
    this.#url = url
    this.#headers = { 'content-type': 'application/json', 'x-api-key': apiKey }
  }

  async work(tasks: number): Promise<void> {
    for (let n = 0; n < tasks; n++) await this.#call('tasks_create', { repo: 'app', title: `task ${n}` })
  }

  /** Claims one task after the other until `end`, which returns the durations. */
  begin(): { end(): Promise<{ readonly p99: number; readonly worst: number; readonly claims: number }> } {
    const times: number[] = []
    let over = false
    const claiming = (async () => {
      while (!over) {
        await this.#call('tasks_create', { repo: 'app', title: 'another' })
        const began = performance.now()
        await this.#call('tasks_claim', { repo: 'app', claimedBy: 'bystander' })
        times.push(performance.now() - began)
      }
    })()
    return {
      async end() {
        over = true
        await claiming
        times.sort((a, b) => a - b)
        return { p99: times[Math.floor(times.length * 0.99)] ?? 0, worst: times.at(-1) ?? 0, claims: times.length }
      },
    }
  }

  async #call(tool: string, args: object): Promise<void> {
    const answer = await fetch(`${this.#url}/api/tools/${tool}`, { method: 'POST', headers: this.#headers, body: JSON.stringify(args) })
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
  }
}
