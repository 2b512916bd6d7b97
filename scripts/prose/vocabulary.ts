/** Words that name nothing. A text that begins with one makes the reader wait for its subject. */
export const OPENERS =
  /^(?:What|Of|Whether|Those|So|How|Where|Who|Whose|Whom|One|As|By|From|There|Here|Which|Whoever|Whatever|Wherever|None|Nothing|Nobody)\b/

export interface Banned {
  readonly pattern: RegExp
  readonly instead: string
}

/** Phrases that no comment, text or page uses, each with the plain wording. */
export const IDIOMS: readonly Banned[] = [
  { pattern: /\bis none\b/i, instead: '“does not count as”, “there is no”' },
  { pattern: /\b(?:is|are|was|were|be) told of\b/i, instead: '“receives”, “is notified of”' },
  { pattern: /\btold of\b/i, instead: '“receives”, “reported”' },
  { pattern: /\bso many\b/i, instead: '“this many”, “the number of”, “at most N”' },
  { pattern: /\bso long\b(?! as)/i, instead: '“this long”, “for that time”' },
  { pattern: /\bwhoever\b/i, instead: 'the role: “the caller”, “the client”, “anyone who”' },
  { pattern: /\banew\b/i, instead: '“again”' },
  { pattern: /\bone[’']s own\b/i, instead: '“your own”, “its own”' },
  { pattern: /\b(?:is|are) (?:another|nobody|somebody)[’']s\b/i, instead: '“belongs to …”' },
  { pattern: /\bnobody[’']s\b/i, instead: '“belongs to no …”' },
  { pattern: /\b(?:of|rules? of) the house\b|\bhouse rules?\b/i, instead: '“project rule”, “of this project”' },
  { pattern: /\b(?:both|each|every|either|all|whatever its|the|a|no|its|any) faces?\b/i, instead: '“transport”' },
  {
    pattern: /\b(?:both|each|either|handshake|stateless|two|the|an|which|its|this|that|other) eras?\b/i,
    instead: '“protocol”, “protocol revision”',
  },
  { pattern: /\bruns by itself\b/i, instead: '“runs in the background”, “runs on a schedule”' },
  { pattern: /\bin vain\b/i, instead: '“without a result”' },
  { pattern: /\bgoes unheard\b|\bby unheard\b/i, instead: '“is missed”' },
  { pattern: /\bhangs? up on\b|\bhung up on\b/i, instead: '“closes the connection of”' },
  { pattern: /\blets? go of\b|\blet go\b/i, instead: '“releases”, “detaches”, “disconnects”' },
]

/** Names that no source uses, each with the standard term. */
export const NAMES: Readonly<Record<string, string>> = {
  tellSurely: 'publishDurably',
  tellIn: 'publishInTransaction',
  Hearer: 'Subscriber',
  onLost: 'onGap',
  othersFirst: 'yieldToEventLoop',
  PatientClient: 'UntimedClient',
  whyUnwritten: 'writeFailureMessage',
  Door: 'LoadShedder',
  Gathered: 'ChangeBatcher',
  Elsewhere: 'RemoteWatchers',
  wantNoMore: 'stopHeartbeat',
  FaceCall: 'IncomingCall',
  Hearing: 'ClientMessageRouter',
  hearHere: 'deliverLocally',
  Said: 'ForwardedMessage',
  Asking: 'InteractiveRequest',
  letGo: 'detached',
  comesBack: 'resumesStreams',
  EndKeeper: 'TrailHeadWriter',
  ABREAST: 'CONCURRENCY',
  oddEntries: 'unexpectedEntries',
  lastWhole: 'lastCompleteRecord',
  isSoonVacuumed: 'canVacuumNow',
  oweVacuum: 'deferVacuumToStart',
  markOurs: 'setApplicationId',
  lookBeside: 'readIdentityFile',
  Beside: 'FolderIdentity',
  packageBehind: 'packageFromStack',
  namesOthers: 'hasNonLoopbackHost',
  leadsSomewhere: 'pointerResolves',
  restsUntil: 'cooldownUntil',
  failuresUntilRest: 'failureThreshold',
  restSeconds: 'cooldownSeconds',
  Turnstile: 'CallLimiter',
  Passage: 'Permit',
}
