/** Errors of the machine are not mistakes in this code: advice is worth more than the place of the error. */
const TO_DO: Readonly<Record<string, string>> = {
  EMFILE: 'Too few files may be open at once: raise the limit, as with `ulimit -n 4096`.',
  ENFILE: 'This machine has too many files open: raise fs.file-max, or end what holds them.',
  ENOSPC: 'Make room on that disk.',
  EROFS: 'Name a folder that can be written.',
  EACCES: 'Run it as the user to whom that belongs, or give it to this one.',
  EPERM: 'Run it as the user to whom that belongs, or give it to this one.',
}

export function systemErrorAdvice(error: unknown): string | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException
  return Object.hasOwn(TO_DO, code) ? `${message}. ${TO_DO[code]}` : undefined
}
