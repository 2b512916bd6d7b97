/**
 * Look-alikes of Latin letters, by that letter: letters of other scripts that are drawn like it in small or in capital, letters
 * with strokes and hooks, small capitals, signs. The list is Unicode's own list of confusables, limited to signs that equal one
 * letter. Signs that Unicode treats as a form of a letter, such as full width and mathematical ones, are not in it.
 */
const LETTERS: Readonly<Record<string, string>> = {
  a: 'ɑαаᎪᗅᴀ⍺ꓮ𐊠𖽀',
  b: 'ƀƄɓʙβвьᏏᏴᑲᖯᗷꓐꞴ𐊂𐊡𐌁',
  c: '¢ƈϲсᏟᴄⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜𑣩𑣲🝌',
  d: 'ðđɖɗԁᎠᏧᑯᗞᗪᴅꓒꓓ',
  e: 'əɛεеҽᎬᴇ€℮⋿ⴹꓰꬲ𐊆𑢦𑢮',
  f: 'ϝғքᖴẝꓝꜰꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂𝈓',
  g: 'ƍɠɡɢԌցᏀᏳᶃꓖ',
  h: 'ħʜΗнһհᎻᏂᕼⲎꓧ𐋏',
  // A capital I, a small l, a 1 and a stroke look the same: all of them are an i here.
  i: 'ɨᏆıłƚǀɩɪʟιіӏ۱ᎥᏞᒪᛁ∣⍳⏽ⲒⳐⵏꓡꓲꙇꭵ￨𐊊𐌉𐌠𐐛𐔦𑢲𑣃𖼖𖼨𝈪',
  j: 'ɉɟʝͿϳјᎫᒍᴊꓙ',
  k: 'ƙκкᏦᛕᴋⲔꓗ𐔘',
  m: 'ɱΜϺмᎷᗰᛖᴍⲘꓟ𐊰𐌑',
  n: 'ɲɴΝηпոռⲚꓠ𐔓',
  o: 'øɵοσоօ۵०০੦૦ଠ୦௦౦೦ഠ൦๐໐ဝ၀ჿዐᴏᴑⲞⲟⵔ〇ꓳꬽ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑓐𑢵𑣈𑣗𑣠',
  p: 'þρрᏢᑭᴘ⍴Ⲣⲣꓑ𐊕',
  q: 'ʠԛգզⵕꞯ',
  r: 'ɾɽʀгᎡᏒᖇᴦⲅꓣꭇꭈꮁ𐒴𖼵𝈖',
  s: 'ƽʂѕՏᏕᏚꓢꜱꮪ𐊖𐐠𐑈𑣁𖼺',
  t: '⊤⟙ŧƭτтᎢᴛⲦꓔ𐊗𐊱𐌕𑢼𖼊🝨',
  u: '∪⋃ʋμυսሀᑌᴜꓴꞟꭎꭒ𐓎𐓶𑢸𑣘𖽂',
  v: '∨⋁νѵ۷Ꮩᐯᴠⴸꓦꛟꮩ𐔝𑜆𑢠𑣀𖼈𝈍',
  w: 'ɯωшѡԝաᎳᏔᴡꓪꮃ𑜊𑜎𑜏𑣦𑣯',
  x: '×χхᕁᕽ᙭᙮ᚷ╳⤫⤬⨯ⲬⵝꓫꞳ𐊐𐊴𐌗𐌢𐔧𑣬',
  y: 'ƴɣʏΥγуүყᎩᎽᶌỿⲨꓬꭚ𐊲𑢤𑣜𖽃',
  z: 'ƶʐΖᏃᴢꓜꮓ𐋵𑢩𑣄𑣥',
}
/** Digits and signs of ASCII that are read as letters among letters. */
const SIGNS: Readonly<Record<string, string>> = { a: '4@', b: '8', e: '3', g: '69', i: 'l1|!', o: '0', s: '5$', t: '7+', z: '2' }
/** Separate alphabets, A to Z: circled and squared in black, and the letters that make up flags. */
const ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6]

const byLetter = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([latin, alike]) => [...alike].map((sign) => [sign, latin] as const))
const alphabet = (first: number) =>
  Array.from({ length: 26 }, (_, n) => [String.fromCodePoint(first + n), String.fromCharCode(0x61 + n)] as const)

const small = [...byLetter(LETTERS), ...ALPHABETS.flatMap(alphabet)]
/** A capital counts as its small letter does, unless it looks like another one: η is an n, and Η an h. */
const capitals = small.map(([sign, latin]) => [sign.toUpperCase(), latin] as const).filter(([sign]) => [...sign].length === 1)
const letters = new Map([...capitals, ...small])
const signs = new Map(byLetter(SIGNS))
const ANY_LETTER = new RegExp(`[${[...letters.keys()].join('')}]`, 'gu')

/** Replaces letters that look like Latin ones with these, in small. */
export const latinLetters = (text: string): string => text.replace(ANY_LETTER, (sign) => letters.get(sign) ?? sign)

export const letterOfSign = (sign: string): string | undefined => signs.get(sign)
