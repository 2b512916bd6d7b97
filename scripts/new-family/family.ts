import type { Tool } from '@gateway/sdk'

/** A tool that is to be: of the catalogue, where it has a row. */
export interface NewTool {
  readonly name: string
  readonly effect: Tool['effect']
  readonly description: string
  readonly core: boolean
}

/** A family that is to be, as the templates need it. */
export interface Family {
  readonly id: string
  readonly tools: readonly NewTool[]
  /** Range of the SDK for the plugin, and its exact version for package.json. */
  readonly sdk: { readonly range: string; readonly version: string }
}

/** `task_lease_reap` as a file: task-lease-reap. */
export const kebab = (name: string): string => name.replaceAll('_', '-')
/** As an identifier: taskLeaseReap. */
export const camel = (name: string): string => name.replace(/[_-](.)/g, (_, letter: string) => letter.toUpperCase())
