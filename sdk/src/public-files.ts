import { type MembersOf, refuseUnknown } from './members.ts'

/** One file as it is sent. Its encodings are made beforehand: nothing is compressed while somebody waits. */
export interface PublicFile {
  /** With its charset: `text/html; charset=utf-8`. */
  readonly type: string
  readonly body: Buffer
  /** The same, encoded with Brotli and with gzip. */
  readonly br?: Buffer
  readonly gzip?: Buffer
  /** Its name changes with its content: it may be kept for a year. What may not is asked for again each time. */
  readonly immutable: boolean
  /** Further headers, by lower-case name: a content security policy. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Files that anyone who reaches the gateway may read: the pages of a web client, and nothing of any tenant. */
export interface PublicFiles {
  readonly id: string
  readonly paths: readonly string[]
  readonly htmlOnly: boolean
  readonly open: (path: string) => Promise<PublicFile | undefined>
}

const FILES: MembersOf<typeof definePublicFiles> = { id: true, paths: true, htmlOnly: true, open: true }

/**
 * Declare files without a credential, outside the one path: they are read with GET and HEAD, the Host is checked, and nothing of them is
 * audited. `open` gets the path without its query, decoded, and answers `undefined` for what is not there. It must not depend on who
 * asks.
 */
export function definePublicFiles(files: {
  id: string
  /** Whole paths, or with `/*` at the end all below them: `/`, `/shelves/*`. */
  paths: readonly string[]
  /** Answer browsers alone, by their `Accept`; a program gets the 404 it would get without them. Default false. */
  htmlOnly?: boolean
  open: (path: string) => Promise<PublicFile | undefined>
}): PublicFiles {
  refuseUnknown(`public files ${files?.id}`, files, FILES)
  return { htmlOnly: false, ...files }
}
