/** Scripts that put no space between words, with the marks that Japanese uses for long vowels and iteration. */
const SCRIPTS = `\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{sc=Yi}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\p{sc=Javanese}\\p{sc=Balinese}\\p{sc=Tai_Le}\\p{sc=New_Tai_Lue}\\p{sc=Tai_Tham}\\p{sc=Tai_Viet}\\p{sc=Tibetan}`
export const UNSPACED = new RegExp(`[${SCRIPTS}]+`, 'gu')
export const ALL_UNSPACED = new RegExp(`^[${SCRIPTS}]+$`, 'u')
/** Korean separates words by spaces, but writes particles and endings onto them, and compounds in one piece. */
export const HANGUL = /\p{sc=Hangul}+/gu
export const ALL_HANGUL = /^\p{sc=Hangul}+$/u
const EDGE = new RegExp(`[${SCRIPTS}\\p{sc=Hangul}]`, 'u')
const HAN = /\p{sc=Han}/u
const LETTER = /\p{L}/u
const MARK = /[^\p{L}]/u
const HAN_FUNCTION_CHARACTERS = new Set('的了是在和也就都而及与與或著着之其这這那我你他她它们們个個吗嗎呢吧啊么麼')

/** Particles that follow a Korean noun, the longest first. */
const PARTICLES =
  /(?<=^.+)(?:에서부터|으로부터|이라도|에게서|한테서|까지도|에서는|에서도|으로는|으로도|이라는|에서|에게|한테|께서|으로|부터|까지|보다|처럼|마다|조차|마저|밖에|이나|이랑|하고|라도|에는|에도|로는|라는|입니다|이다|은|는|이|가|을|를|에|의|도|만|로|와|과|랑|나|께)$/u

/** Index words of a run: each pair of adjacent characters, and each letter alone, since it may be a word. */
export function indexUnspaced(run: string): readonly string[] {
  const characters = [...run]
  const letters = MARK.test(run) ? characters.filter((one) => LETTER.test(one)) : characters
  return [...pairs(characters), ...letters]
}

/**
 * Words of a query in such a script. A single Han character is one, unless it only joins others; a single kana is not.
 * Single kana next to a long vowel mark are added, because earlier versions cut the text there.
 */
export function queryUnspaced(run: string): readonly string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  const meaning = characters.filter((one) => HAN.test(one) && !HAN_FUNCTION_CHARACTERS.has(one))
  return [...pairs(characters), ...meaning, ...run.split('ー').filter((piece) => piece.length === 1)]
}

/** Index words of a Korean noun without its particle, which match it inside longer words too. */
export function nounWithin(word: string): readonly string[] {
  return phraseUnspaced(word.replace(PARTICLES, ''))
}

/** Index words that every text containing the run has. */
export function phraseUnspaced(run: string): readonly string[] {
  const characters = [...run]
  return characters.length === 1 ? characters : pairs(characters)
}

/** True if a word may begin or end at this letter without a space. */
export const isUnspaced = (character: string): boolean => EDGE.test(character)

function pairs(characters: readonly string[]): readonly string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`)
}
