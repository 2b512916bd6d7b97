import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Prints the result of `look`, one JSON object a line: at once, and again when a line comes in. */
export async function twice(look) {
  const lines = createInterface({ input: process.stdin })
  console.log(JSON.stringify(await look()))
  await once(lines, 'line')
  console.log(JSON.stringify(await look()))
  lines.close()
}
