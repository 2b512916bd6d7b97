/** Operations that the tests need from any client program. */
export interface Agent {
  readonly era: 'handshake' | 'stateless'
  readonly instructions: string | undefined
  tools(): Promise<readonly string[]>
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallResult>
  resource(uri: string): Promise<string | undefined>
  prompt(name: string): Promise<string | undefined>
  completion(prompt: string, argument: string, typed: string): Promise<readonly string[]>
  /** Subscribes `heard` to changes of this resource and of the lists. */
  watch(uri: string): Promise<void>
  close(): Promise<void>
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number) => void
}

export interface CallResult {
  readonly text: string | undefined
  readonly isError: boolean
}

/** Answers of the program around an agent to questions, and its notification handlers. */
export interface Host {
  readonly fillIn: (message: string) => Record<string, string | boolean>
  readonly say: (asked: string | undefined) => string
  readonly roots: readonly string[]
  readonly heard: (what: string) => void
  readonly failed: (error: Error) => void
}

interface Content {
  readonly text?: string
}

export function textOf(messages: readonly { readonly content: unknown }[]): string | undefined {
  return (messages[0]?.content as Content | undefined)?.text
}

export function resultOf(result: object): CallResult {
  const { content, isError } = result as { readonly content?: readonly Content[]; readonly isError?: boolean }
  return { text: content?.[0]?.text, isError: isError === true }
}
