const CHARACTERS_A_TOKEN = 4
const TOKENS_AN_IMAGE = 1_600
/** A run is scanned from its beginning alone, so that a text of many shorter runs takes no more time than any other. */
const BASE64 = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{4000,}/g

/** Estimates the tokens of a body. Long runs of base64 are images, which count by the piece. */
export function promptSize(text: string): number {
  let images = 0
  const rest = text.replace(BASE64, () => {
    images++
    return ''
  })
  return Math.ceil(rest.length / CHARACTERS_A_TOKEN) + images * TOKENS_AN_IMAGE
}
