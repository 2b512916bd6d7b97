import { definePlugin } from '@gateway/sdk'
import { cursors, ledger } from './collections.ts'
import { backlogCursorGet } from './tools/backlog-cursor-get.ts'
import { backlogCursorSet } from './tools/backlog-cursor-set.ts'
import { backlogLedgerAdd } from './tools/backlog-ledger-add.ts'
import { backlogLedgerGet } from './tools/backlog-ledger-get.ts'

/** Remembers for all workers how far they have come in the backlog file, which they read themselves. */
export default definePlugin({
  id: 'backlog',
  sdk: '^1.0.0',
  description: 'Progress of a fleet through its backlog file: a cursor, and the titles already taken.',
  collections: [cursors, ledger],
  tools: [backlogCursorGet, backlogCursorSet, backlogLedgerGet, backlogLedgerAdd],
})
