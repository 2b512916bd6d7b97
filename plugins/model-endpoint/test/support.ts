import budgets from '@gateway/plugin-budgets'
import outgoing from '@gateway/plugin-outgoing'
import providers from '@gateway/plugin-providers'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import modelEndpoint from '../src/index.ts'

export type { TestGateway }

/** USD for a million tokens: a call of 1,000 tokens in and 100 out costs 0.002 USD. */
const PRICE = { inputPerMTok: 1, outputPerMTok: 10 }

export const provider = (wire: 'openai' | 'anthropic', baseUrl: string, more: object = {}) => ({
  wire,
  baseUrl,
  apiKey: 'key-of-the-provider',
  models: { standard: 'model-s' },
  prices: { 'model-s': PRICE, 'embed-s': { inputPerMTok: 1, outputPerMTok: 0 } },
  ...more,
})

export const start = (named: object, caps: Record<string, unknown> = {}, settings: object = {}): Promise<TestGateway> =>
  startTestGateway({
    plugins: [outgoing, providers, budgets, modelEndpoint],
    config: { providers: { providers: named, ...settings }, budgets: caps },
    listen: true,
  })

export const post = (gateway: TestGateway, path: string, body: object | string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${gateway.url}/v1/${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export const json = async (response: Response): Promise<any> => response.json()

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export function eventsOf(text: string): any[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => (data === '[DONE]' ? data : JSON.parse(data)))
}

export const spent = async (gateway: TestGateway): Promise<number> => (await gateway.call('budgets_status')).monthToDateUsd

/** Resolves once `holds` is true, however long the machine takes. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}
