import { stem } from './words.ts'

/**
 * Words of agents → words of tools. The words of one line are synonyms; a word may be in several lines. Words for the same thing
 * belong here, not questions: a line that only one question needs hides a poor description.
 */
const MEANINGS = `
  task job work ticket todo issue assignment
  item title
  claim take grab pick
  next upcoming
  fail failure crash error broken broke retry
  stale expire stuck died timeout
  finish complete done close end
  status state progress finish done
  create add new make register upsert
  set update change edit modify mark write
  delete remove drop discard erase purge throw clean cleanup
  restore undelete recover bring back
  trash bin recycle deleted
  several many multiple bulk batch together
  defer postpone delay wait
  send tell announce broadcast
  person people human team user member
  mail message letter inbox email
  answer reply respond
  request requester asker ask
  ack acknowledge confirm read handle deal dealt
  lease lock mutex semaphore exclusive
  holder hold owner
  extend keep prolong
  acquire take reserve obtain
  release unlock free
  alive up running online heartbeat pulse liveness
  down dead offline
  schedule cron timer recurring repeat every daily weekly nightly hourly periodic
  memory remember knowledge recall learn know insight fact
  store save keep remember persist attach upload
  search find grep query
  scan discover find
  folder directory disk path
  history log past earlier previous last latest recent
  embedding vector index reindex rebuild
  context background
  handoff handover note takeover
  session conversation chat transcript
  export move portable
  swarm subtask
  child subtask
  approve accept confirm
  stop kill halt abort cancel
  delegate assign
  runner worker machine host
  repo repository project codebase
  priority urgent importance
  budget cost spend money price dollar usd
  cap limit ceiling
  quota usage consumption left
  entitlement subscription
  revenue mrr billing
  tenant organisation organization customer company
  suspend block ban
  reactivate unblock unsuspend resume
  notification notify ping
  alert warning alarm
  provider llm model
  choose chosen select pick
  maintenance drain pause
  resume exit
  custom own extension
  webhook handler http
  marketplace store catalogue shop
  connector mcp server
  publish submit
  toggle enable disable switch
  artifact file attachment report
  report summary digest brief
  overview glance dashboard
  perf performance slow latency percentile
  breach break violate
  pr pull
  impact affected blast touch
  neighbor caller import dependency
  rank triage prioritize
  risk danger
  attention need
  revert undo rollback
  rotate renew replace
  token secret credential key
  grant access permission
  unshare revoke
  diff compare difference
  delta changed since
  stash park aside
  pin forget
  skill playbook
  agent specialist
  install download
  test check probe
  invoke run ask trigger execute
  boot start begin startup
  seed template
  template pack
  gateway service
  uncommitted dirty
  blame trace why
  onboarding signup activation
  url address link
`

/** A word's stem → the stems of its synonyms, itself left out. */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = byStem(MEANINGS)

function byStem(meanings: string): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>()
  for (const line of meanings.trim().split('\n')) {
    const stems = line.trim().split(/\s+/).map(stem)
    for (const one of stems) {
      const others = known.get(one) ?? new Set()
      for (const other of stems) if (other !== one) others.add(other)
      known.set(one, others)
    }
  }
  return known
}
