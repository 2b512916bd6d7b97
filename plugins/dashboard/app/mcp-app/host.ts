/** The host of an MCP App: JSON-RPC over `postMessage` with the window that holds it (SEP-1865, revision 2026-01-26). */
const REVISION = '2026-01-26'
const APP = { name: 'gateway-desk', version: '1.0.0' }

export interface HostContext {
  readonly theme?: 'light' | 'dark'
  readonly toolInfo?: { readonly tool?: { readonly name?: string } }
}

interface ToolResult {
  readonly isError?: boolean
  readonly structuredContent?: unknown
  readonly content?: readonly { readonly type: string; readonly text?: string }[]
}

interface Message {
  readonly jsonrpc?: string
  readonly id?: number | string
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message?: string }
}

const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
const listeners = new Map<string, (params: unknown) => void>()
let asked = 0

const post = (message: object): void => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

function request(method: string, params: object): Promise<unknown> {
  const id = ++asked
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    post({ id, method, params })
  })
}

window.addEventListener('message', ({ source, data }: MessageEvent<Message | undefined>) => {
  // An app listens to its host alone.
  if (source !== window.parent || data?.jsonrpc !== '2.0') return
  const { id, method, params, result, error } = data
  if (method !== undefined) {
    listeners.get(method)?.(params)
    if (id !== undefined)
      post(method === 'ui/resource-teardown' ? { id, result: {} } : { id, error: { code: -32_601, message: 'Method not found' } })
    return
  }
  const request = waiting.get(Number(id))
  waiting.delete(Number(id))
  if (error) request?.reject(new Error(error.message ?? 'The host refused.'))
  else request?.resolve(result)
})

export const on = (method: string, listener: (params: unknown) => void): void => void listeners.set(method, listener)

export async function connect(): Promise<HostContext> {
  const answer = (await request('ui/initialize', { protocolVersion: REVISION, appInfo: APP, appCapabilities: {} })) as {
    hostContext?: HostContext
  }
  post({ method: 'ui/notifications/initialized', params: {} })
  new ResizeObserver(tellSize).observe(document.documentElement)
  return answer.hostContext ?? {}
}

function tellSize(): void {
  const { scrollWidth: width, offsetHeight: height } = document.documentElement
  post({ method: 'ui/notifications/size-changed', params: { width, height } })
}

/** Calls a tool of the gateway through the host, with the credential that the host has. Throws what the tool refused. */
export async function callTool<T>(name: string, args: object): Promise<T> {
  const result = (await request('tools/call', { name, arguments: args })) as ToolResult
  const text = result.content?.find(({ type }) => type === 'text')?.text ?? ''
  const value: unknown = result.structuredContent ?? parsed(text)
  if (!result.isError) return value as T
  const { error } = (value ?? {}) as { error?: unknown }
  throw new Error(typeof error === 'string' ? error : text || 'The call failed.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
