import { type MembersOf, refuseUnknown } from './members.ts'

/** A file as it is sent. Its encodings are prepared in advance, so that nothing is compressed during a request. */
export interface PublicFile {
  /** With its charset: `text/html; charset=utf-8`. */
  readonly type: string
  readonly body: Buffer
  /** The content encoded with Brotli and with gzip. */
  readonly br?: Buffer
  readonly gzip?: Buffer
  /** True if its name changes with its content, so that it may be cached for a year. Other files are revalidated each time. */
  readonly immutable: boolean
  /** Further headers, by lower-case name, such as a content security policy. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Files that anyone who reaches the gateway may read: the pages of a web client, and nothing of any tenant. */
export interface PublicFiles {
  readonly id: string
  readonly paths: readonly string[]
  readonly htmlOnly: boolean
  readonly replacesDefault: boolean
  readonly open: (path: string) => Promise<PublicFile | undefined>
}

const FILES: MembersOf<typeof definePublicFiles> = { id: true, paths: true, htmlOnly: true, replacesDefault: true, open: true }

/**
 * Declares files without a credential, outside the call path: they are read with GET and HEAD, the Host is checked, and nothing
 * is audited. `open` receives the decoded path without its query and returns `undefined` for a missing file. It must not depend
 * on the caller.
 */
export function definePublicFiles(files: {
  id: string
  /** Whole paths, or with `/*` at the end all paths below: `/`, `/shelves/*`. */
  paths: readonly string[]
  /** Answers only browsers, by their `Accept` header; programs get the usual 404. Default false. */
  htmlOnly?: boolean
  /**
   * Serves these paths instead of the gateway's own pages. The start refuses a path whose page cannot be replaced; `/api/docs`, the
   * reference of the API for people, can. Default false.
   */
  replacesDefault?: boolean
  open: (path: string) => Promise<PublicFile | undefined>
}): PublicFiles {
  refuseUnknown(`public files ${files?.id}`, files, FILES)
  return { htmlOnly: false, replacesDefault: false, ...files }
}
