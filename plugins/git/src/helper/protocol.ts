/** What gateway and helper say to each other, over the channel of the child process. */
export type Request =
  | { readonly id: number; readonly op: string; readonly folder: string; readonly args: readonly unknown[] }
  /** The next piece of an answer in pieces, or no more of them. */
  | { readonly id: number; readonly next: boolean }
  | { readonly end: true }

export type Answer =
  | { readonly ready: true; readonly version: string | undefined; readonly fault?: string }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string; readonly busy: boolean }
  | { readonly id: number; readonly piece: unknown }

/** `process.argv` of the helper after the program: the git to run. */
export const PROGRAM_ARGUMENT = 2
