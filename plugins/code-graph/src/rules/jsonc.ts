/** Parses JSON with comments and trailing commas, as in tsconfig files. Returns `undefined` if the text is invalid. */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(plain(text)) as unknown
  } catch {
    return undefined
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*[\]}])/g

function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(TOKEN, (token) => (token.startsWith('"') ? token : ' '))
}
