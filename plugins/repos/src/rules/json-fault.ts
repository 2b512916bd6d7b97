/** Returns the parsed text, or the place and reason why it is not JSON. */
export function parseJson(text: string): { value: unknown } | { place: string; fault: string } {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    const { message } = error as Error
    // The text itself must not be part of the message: it may be long.
    const fault = message.replace(/,? (\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, '').replace(/ (in|after) JSON( at position \d+.*)?$/, '')
    return { place: placeOf(text, offsetOf(text, message)), fault: `no valid JSON (${fault})` }
  }
}

/** V8 reports the position, or that the text ended too early, but not the position of a wrong token. */
function offsetOf(text: string, message: string): number {
  const said = /at position (\d+)/.exec(message)?.[1]
  if (said !== undefined) return Number(said)
  return isWrongToken(message) ? shortestWrong(text) - 1 : text.length
}

/** Returns the length of the shortest prefix that has the wrong token: every longer one has it too, so binary search finds it. */
function shortestWrong(text: string): number {
  let [right, wrong] = [0, text.length]
  while (wrong - right > 1) {
    const middle = (right + wrong) >> 1
    if (hasWrongToken(text.slice(0, middle))) wrong = middle
    else right = middle
  }
  return wrong
}

function hasWrongToken(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    return isWrongToken((error as Error).message)
  }
}

function isWrongToken(message: string): boolean {
  return message.startsWith('Unexpected token')
}

function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}
