import type { Tool } from '@gateway/sdk'

/** A planned tool; its data comes from the catalogue if it has a row there. */
export interface NewTool {
  readonly name: string
  readonly effect: Tool['effect']
  readonly description: string
  readonly core: boolean
}

/** A planned family, as the templates need it. */
export interface Family {
  readonly id: string
  /** Name of what it keeps, in kebab-case: `lending-slip`. */
  readonly record: string
  readonly tools: readonly NewTool[]
  /** Range of the SDK for the plugin, and its exact version for package.json. */
  readonly sdk: { readonly range: string; readonly version: string }
}

/** Returns the file name for `task_lease_reap`: task-lease-reap. */
export const kebab = (name: string): string => name.replaceAll('_', '-')
/** Returns the name as an identifier: taskLeaseReap. */
export const camel = (name: string): string => name.replace(/[_-](.)/g, (_, letter: string) => letter.toUpperCase())
