/** Paths whose change alone is not work on the code: documents, and the state and handoff of the framework. */
const DOCS =
  /(?:^|\/)(?:docs?|\.claude|\.agents|state|handoffs?)\/|\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:LICENSE|CHANGELOG|HANDOFF|STATE)[^/]*$/i

/** True if nothing, or nothing but documents and state, has changed. */
export const isNoop = (paths: readonly string[]): boolean => paths.every((path) => DOCS.test(path))
