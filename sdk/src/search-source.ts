import type { Capability } from './context.ts'
import { defineContribution } from './contribution.ts'

/** Something that was found. */
export interface FoundItem {
  /** Unique within its kind. */
  readonly id: string
  readonly title: string
  readonly text?: string
  /** ISO 8601: when it last changed. */
  readonly at?: string
  /** The page that shows it, as declared (`/tasks/:taskId`), with the values of its parameters. */
  readonly link: { readonly to: string; readonly with?: Readonly<Record<string, string>> }
}

/** Finds a family's data for a person who types a few words. */
export interface SearchSource {
  /** kebab-case, one noun: `task`. */
  readonly kind: string
  /** Needed to find it. Default: `read`. */
  readonly capability?: Capability
  /**
   * Returns at most `limit` hits, the best first. It is called while a person types, so its cost must not grow with the collection: search
   * an index, or compare a bounded number of the latest items with `nearest` of `@gateway/sdk/near`, which forgives typing errors.
   */
  find(query: string, limit: number): Promise<readonly FoundItem[]>
  /** Offers the names of its items in forms and filters, for fields with these names, such as `repo`. */
  readonly names?: {
    readonly fields: readonly string[]
    /** At most `limit` names. */
    list(limit: number): Promise<readonly string[]>
  }
  /** Finds the titles of its items by at most 100 ids, for rows of other families that hold ids only. Ids without an item are left out. */
  titles?(ids: readonly string[]): Promise<Readonly<Record<string, string>>>
}
/** Contributes to the search of the dashboard. */
export const searchSource = defineContribution<SearchSource>('gateway.search')
