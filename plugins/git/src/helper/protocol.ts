import type { GitLimits } from '../rules/limits.ts'

/** Messages between gateway and helper, over the channel of the child process. */
export type Request =
  | { readonly id: number; readonly op: string; readonly folder: string; readonly args: readonly unknown[] }
  /** Requests the next piece of an answer, or stops it. */
  | { readonly id: number; readonly next: boolean }
  | { readonly end: true }

export type Answer =
  | { readonly ready: true; readonly version: string | undefined; readonly fault?: string }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string; readonly busy: boolean }
  | { readonly id: number; readonly piece: unknown }

/** Position in `process.argv` of the helper's settings, as JSON. */
export const SETTINGS_ARGUMENT = 2
export interface GitSettings {
  readonly program: string
  readonly limits: GitLimits
}
