import { defineContribution, defineService } from '@gateway/sdk'

export interface BootRequest {
  readonly repo: string
  /** Maximum number of characters; longer text is cut. */
  readonly budget: number
  /** True if other repos may be mentioned. */
  readonly crossProject: boolean
}

/**
 * A part that another family adds to the bundle of context_boot. It is rendered for each boot, so it reads little and does not
 * wait.
 */
export interface BootPart {
  readonly title: string
  /** Lower comes first, among the parts of the same place. */
  readonly order: number
  /**
   * `stable`: the same text from boot to boot until the configuration changes; no time, count or id. `next`: the work to do,
   * line by line. `volatile`: everything else.
   */
  readonly place: 'stable' | 'next' | 'volatile'
  /** Returns Markdown without the title, or '' for no text. */
  render(request: BootRequest): Promise<string>
  /** Called when its text was part of an answer of `context_boot`. Its failure is logged. */
  served?(request: BootRequest): Promise<void>
}
/** Text for every client, whatever the repo, is a `bootSection` of the SDK, which also appears in the bundle. */
export const bootPart = defineContribution<BootPart>('context.part')

export interface Snippet {
  readonly content: string
  readonly title?: string
  readonly repo?: string
  readonly createdAt?: string
}
/** Searched only when context_boot has a query. */
export interface BootRecall {
  /** `memory`, `brain`: named with each snippet. */
  readonly source: string
  readonly tool: string
  /** Returns the nearest first, from `repo` alone when it is given. */
  search(request: {
    readonly query: string
    readonly repo?: string | undefined
    readonly nearRepo: string
    readonly limit: number
  }): Promise<readonly Snippet[]>
}
export const bootRecall = defineContribution<BootRecall>('context.recall')

export interface ServedBoot {
  /** Tool or route that served it. */
  readonly tool: string
  readonly repo: string
  /** Characters that a new session would have to read without it. */
  readonly coldCharacters: number
  readonly servedCharacters: number
  readonly milliseconds: number
}
/** Source of continuity_stats and user_savings, for families that serve their own boot. */
export interface Continuity {
  /** Resolves when the boot is counted. A failure is logged and never fails the boot that was served. */
  record(boot: ServedBoot): Promise<void>
}
export const continuity = defineService<Continuity>('context.continuity')
