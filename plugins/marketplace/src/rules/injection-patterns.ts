/**
 * Phrases that an artifact may not say to the model that will read it, one pattern per line. Each is in RE2's syntax, without
 * nested loops, and reads one of the views that `normalize.ts` makes:
 *
 * - `words`: letters only, look-alikes folded. Spaces in a pattern are for readability; they do not count, nor do those of the
 *   text. The text is read twice: with digits and signs as the letters they pass for, and without them.
 * - `marks`: with punctuation, in lower case, each stretch of white space as one space.
 * - `raw`: as it came.
 */
export interface InjectionPattern {
  readonly name: string
  readonly view: 'words' | 'marks' | 'raw'
  readonly pattern: string
  /** A pattern without gaps that every match meets too: the expensive one is tried only where this one is found. */
  readonly needs?: string
}

const FORGET = '(ignore|disregard|forget|override|bypass|discard|neglect)'
const FILL = '(all|any|every|of|the|your|my|our|these|those|this|that|and){0,5}'
const EARLIER = '(previous|prior|above|earlier|preceding|foregoing|past|original|existing|initial|system|developer|safety)'
const ORDERS = '(instruction|direction|directive|prompt|rule|guideline|command|message|context|polic|constraint|training)'
const HUMAN = '(user|operator|human|owner|administrator)'
const SECRET = '(api key|password|secret key|credential|access token|private key|env file|environment variable|session cookie)'

export const INJECTION_PATTERNS: readonly InjectionPattern[] = [
  { name: 'ignore-instructions', view: 'words', pattern: `${FORGET} ${FILL} ${EARLIER} ${FILL} ${EARLIER}? ${ORDERS}`, needs: FORGET },
  {
    name: 'forget-everything',
    view: 'words',
    pattern: `${FORGET} (everything|anything) (that)? (you (were|have been) (told|taught)|(was|is)? (said)? (above|before))`,
  },
  {
    name: 'do-not-follow',
    view: 'words',
    pattern: `(do not|dont|never|stop) (follow|obey|heed|listen to|following|obeying) ${FILL} ${EARLIER} ${FILL} ${ORDERS}`,
    needs: '(do not|dont|never|stop)',
  },
  {
    name: 'new-instructions',
    view: 'words',
    pattern: `(new|updated|real|actual) (system)? (instructions|orders|directives) (from|by) (the)? (system|operator|administrator|developer)`,
  },
  {
    name: 'unbound-identity',
    view: 'words',
    pattern: '(you are now|act as|pretend to be|become) (an?|the)? (jailbroken|unrestricted|unfiltered|uncensored|amoral)',
  },
  { name: 'do-anything-now', view: 'words', pattern: 'do anything now' },
  {
    name: 'special-mode',
    view: 'words',
    pattern: '(developer|debug|god|dan|jailbreak|sudo|unrestricted) mode (is)? (now)? (enabled|activated|active|engaged)',
  },
  {
    name: 'no-restrictions',
    view: 'words',
    pattern: '(you (now)? have no|(act|respond|answer|behave|operate) without) (any)? (restriction|limitation|guardrail|filter|ethic|rule)',
  },
  {
    name: 'disable-safety',
    view: 'words',
    pattern: `(disable|turn off|deactivate|circumvent|evade|bypass) ${FILL} (safety|guardrail|content filter|approval gate|audit log|audit trail|moderation)`,
    needs: '(safety|guardrail|content filter|approval gate|audit log|audit trail|moderation)',
  },
  {
    name: 'reveal-prompt',
    view: 'words',
    pattern: `(reveal|print|show|repeat|output|display|leak|disclose|recite) (me|us)? ${FILL} (hidden|system|secret|initial|original|developer|internal) (prompt|instruction|message)`,
    needs: '(hidden|system|secret|initial|original|developer|internal) (prompt|instruction|message)',
  },
  {
    name: 'send-secrets',
    view: 'words',
    pattern: `(send|post|upload|exfiltrate|email|forward|transmit|append) .{0,60} ${SECRET} .{0,60} (http|webhook|to this url|to the following|mail to)`,
    needs: SECRET,
  },
  {
    name: 'hide-from-user',
    view: 'words',
    pattern: `((do not|dont|never) (tell|inform|alert|notify|mention (this|it|that) to|reveal (this|it|that) to)|(hide|conceal) (this|it|that) from) (the|your|any)? ${HUMAN}`,
  },
  {
    name: 'skip-confirmation',
    view: 'words',
    pattern: `(pretend|claim|say) (that)? (the|your) ${HUMAN} (has)? (already)? (approved|confirmed|authori[sz]ed|agreed)`,
  },
  {
    name: 'decode-and-obey',
    view: 'words',
    pattern: '(decode|unscramble) .{0,40} (base|rot|hex) .{0,40} (execute|obey|follow (it|them|the)|run (it|them|the))',
    needs: '(decode|unscramble)',
  },
  {
    name: 'chat-markers',
    view: 'marks',
    pattern: '<\\|? ?(im_start|im_end|im_sep|system|user|assistant|endoftext|eot_id|start_header_id|begin_of_text) ?\\|>',
  },
  { name: 'instruction-markers', view: 'marks', pattern: '\\[ ?/?inst ?\\]|<< ?/?sys ?>>' },
  { name: 'role-tags', view: 'marks', pattern: '< ?/? ?(system|developer|assistant)([ _-](prompt|message|instructions?|reminder))? ?>' },
  { name: 'forged-results', view: 'marks', pattern: '< ?/? ?(tool_results?|tool_calls?|function_results?|function_calls?) ?>' },
  { name: 'role-headings', view: 'marks', pattern: '### ?(system|instructions?) ?(prompt|message)? ?:' },
  { name: 'forged-boundary', view: 'marks', pattern: '(begin|end|start) (of )?(the )?(system|developer) (prompt|message|instructions?)' },
  { name: 'download-and-run', view: 'marks', pattern: '(curl|wget) [^|;]{0,200}\\| ?(sudo )?(ba|z|da|k)?sh\\b', needs: '(curl|wget) ' },
  {
    name: 'leaking-image',
    view: 'marks',
    pattern: '!\\[[^\\]]{0,200}\\] ?\\( ?https?://[^) ]{0,300}[?&=/](\\{|\\$\\{|%7b|<)',
    needs: '!\\[',
  },
  { name: 'reversed-text', view: 'raw', pattern: '[\\x{202d}\\x{202e}]' },
  { name: 'invisible-text', view: 'raw', pattern: '[\\x{e0020}-\\x{e007e}]{8}', needs: '[\\x{e0020}-\\x{e007e}]' },
]
