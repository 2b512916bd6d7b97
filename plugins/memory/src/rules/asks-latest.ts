/** Words that ask for the newest of several texts, in common languages. Unspaced scripts are searched without word borders. */
const SPACED =
  /(?<!\p{L})(?:latest|newest|current(?:ly)?|now|nowadays|today|still|most recent(?:ly)?|up[- ]to[- ]date|as of|aktuell(?:e[rsnm]?)?|neueste[rsnm]?|derzeit|momentan|jetzt|heute|noch|zuletzt|actuel(?:le)?(?:ment)?|dernière?s?|maintenant|aujourd’hui|aujourd'hui|toujours|actual(?:mente)?|últim[ao]s?|ahora|hoy|todavía|agora|hoje|ainda|attual(?:mente)?|ultim[aoie]|adesso|oggi|ancora|сейчас|последн\p{L}*|теперь|текущ\p{L}*|сегодня)(?!\p{L})/iu
const UNSPACED = /最新|最近|目前|现在|現在|如今|当前|當前|今の|いま|まだ|仍然|還是|还是|지금|현재|최신|최근|아직/u

/** True if the query asks for the latest state of something rather than for anything about it. */
export function asksLatest(query: string): boolean {
  return SPACED.test(query) || UNSPACED.test(query)
}
