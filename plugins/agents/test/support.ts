import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import outgoing from '@gateway/plugin-outgoing'
import providers from '@gateway/plugin-providers'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import agents from '../src/index.ts'

export const needed = [outgoing, providers]
export const member = { as: { tenantId: 'acme', id: 'ann', kind: 'user', role: 'member' } } as const

export function start({ plugins = [], ...options }: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [...needed, agents, ...plugins], ...options })
}

/**
 * Creates a model on this machine that answers with `text`, or the result of `text` for each question, and records what it was
 * asked; `undefined` is an error of its own.
 */
export async function model(text: string | ((question: string) => string | undefined) = 'Here you are.') {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  const asked: any[] = []
  const server = createServer((request, response) => void answer(request, response))
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const question = JSON.parse(Buffer.concat(parts).toString('utf8'))
    asked.push(question)
    const content = typeof text === 'string' ? text : text(question.messages.at(-1).content)
    response.writeHead(content === undefined ? 400 : 200, { 'content-type': 'application/json' })
    const usage = { prompt_tokens: 20, completion_tokens: 5 }
    response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }], usage }))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const models = { budget: 'small', standard: 'middle', premium: 'large', ultra: 'huge' }
  return {
    asked,
    config: { providers: { providers: { local: { wire: 'openai', baseUrl, models } } } },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export async function folder(files: Readonly<Record<string, string>>) {
  const path = await mkdtemp(join(tmpdir(), 'gateway-agents-'))
  const put = async (name: string, text: string): Promise<void> => {
    await mkdir(join(path, name, '..'), { recursive: true })
    await writeFile(join(path, name), text)
  }
  for (const [name, text] of Object.entries(files)) await put(name, text)
  return { path, put, remove: (name: string) => rm(join(path, name)), [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

export const agentFile = (name: string, more = 'category: dev', text = 'Do it well.') =>
  `---\nname: ${name}\n${more}\ndescription: Made for a test.\ntools: [tasks_list, tasks_claim]\n---\n\n${text}\n`
