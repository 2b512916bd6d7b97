import { defineContribution, defineService } from '@gateway/sdk'

// ------------------------------------------------------------- parts ----

export interface BootRequest {
  readonly repo: string
  /** Characters there is room for; what is longer is cut. */
  readonly budget: number
  /** Whether other repos may be spoken of. */
  readonly crossProject: boolean
}

/** A part of the bundle that context_boot gives, of another family: rendered for each boot, so it reads little and waits for nothing. */
export interface BootPart {
  readonly title: string
  /** Lower comes first, among the parts of its place. */
  readonly order: number
  /**
   * `stable`: the same text from boot to boot while nothing is configured anew; no time, count or id. `next`: what there is to do, line
   * by line. `volatile`: all else.
   */
  readonly place: 'stable' | 'next' | 'volatile'
  /** Markdown without the title, or '' for nothing to say. */
  render(request: BootRequest): Promise<string>
  /** Told when text of it stood in what `context_boot` gave. Its failure is logged. */
  served?(request: BootRequest): Promise<void>
}
/** What holds for whoever connects, whichever the repo, is a `bootSection` of the SDK, and stands in the bundle too. */
export const bootPart = defineContribution<BootPart>('context.part')

// ------------------------------------------------------------ recall ----

export interface Snippet {
  readonly content: string
  readonly title?: string
  readonly repo?: string
  readonly createdAt?: string
}
/** Searched when context_boot has a query, and never without. */
export interface BootRecall {
  /** `memory`, `brain`: said with each snippet. */
  readonly source: string
  /** The tool to go on with. */
  readonly tool: string
  /** The nearest first. In `repo` alone when it is given. */
  search(request: {
    readonly query: string
    readonly repo?: string | undefined
    readonly nearRepo: string
    readonly limit: number
  }): Promise<readonly Snippet[]>
}
export const bootRecall = defineContribution<BootRecall>('context.recall')

// ------------------------------------------------------------ meters ----

export interface ServedBoot {
  /** The tool or way that served it. */
  readonly tool: string
  readonly repo: string
  /** What whoever begins would have to read without it. */
  readonly coldCharacters: number
  readonly servedCharacters: number
  readonly milliseconds: number
}
/** Where continuity_stats and user_savings come from: for families that serve a boot of their own. */
export interface Continuity {
  /** Counted once this resolves. One that cannot be counted is logged: it never fails what was served. */
  record(boot: ServedBoot): Promise<void>
}
export const continuity = defineService<Continuity>('context.continuity')
