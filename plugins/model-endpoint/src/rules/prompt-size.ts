const CHARACTERS_A_TOKEN = 4
const TOKENS_AN_IMAGE = 1_600

/** Estimates the tokens of a body. Long runs of base64 are images, which count by the piece. */
export function promptSize(text: string): number {
  let images = 0
  const rest = text.replace(/[A-Za-z0-9+/=]{4000,}/g, () => {
    images++
    return ''
  })
  return Math.ceil(rest.length / CHARACTERS_A_TOKEN) + images * TOKENS_AN_IMAGE
}
