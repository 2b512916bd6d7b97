// biome-ignore lint/suspicious/noExplicitAny: the story reads what it expects, and checks it
export type Answer = any
/** Calls a tool; rejects with the gateway's message when it is refused. */
export type Call = (tool: string, args: object) => Promise<Answer>

export const calling =
  (url: string): Call =>
  async (tool, args) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/tools/${tool}`, { method: 'POST', headers, body: JSON.stringify(args) })
    const answer = (await response.json()) as Answer
    if (!response.ok) throw new Error(answer.error)
    return answer
  }
