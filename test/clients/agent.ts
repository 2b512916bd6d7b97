/** What the tests ask of a client, whichever program it is. */
export interface Agent {
  readonly era: 'handshake' | 'stateless'
  readonly instructions: string | undefined
  tools(): Promise<readonly string[]>
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallResult>
  resource(uri: string): Promise<string | undefined>
  prompt(name: string): Promise<string | undefined>
  completion(prompt: string, argument: string, typed: string): Promise<readonly string[]>
  /** Have changes of this resource, and of the lists, told to `heard`. */
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

/** What the program around an agent does when it is asked something, and what it is told unasked. */
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

/** The text of the first message. */
export function textOf(messages: readonly { readonly content: unknown }[]): string | undefined {
  return (messages[0]?.content as Content | undefined)?.text
}

/** The text of the first content. */
export function resultOf(result: object): CallResult {
  const { content, isError } = result as { readonly content?: readonly Content[]; readonly isError?: boolean }
  return { text: content?.[0]?.text, isError: isError === true }
}
