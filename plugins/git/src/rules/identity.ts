/** Returns a name or address in the form a commit allows: one line, without the brackets that end it. */
export function identity({ name, email }: { readonly name: string; readonly email: string }): string {
  return `${plain(name) || 'unknown'} <${plain(email).replaceAll(' ', '')}>`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it takes out
const UNFIT = /[\u0000-\u001f\u007f<>\\"]/g

function plain(text: string): string {
  return text.replace(UNFIT, ' ').trim().slice(0, 200)
}
