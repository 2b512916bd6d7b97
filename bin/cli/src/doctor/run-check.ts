import type { Finding } from './finding.ts'

const AS_ITS_USER = 'Run `gateway doctor` as the user who runs the service, or give that user the folder: all of it must be theirs.'
const IN_THE_WAY = 'Check the named file: the gateway did not create it in this form. Move it away, or restore it from a backup.'
const REPORT = 'Report this with the file that `gateway doctor --bundle` writes.'

/** Turns a check that itself fails, as on another user's folder, into a finding, so that the others follow. */
export async function runCheck(name: string, check: () => Promise<Finding | readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return [await check()].flat()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return [{ check: name, outcome: 'fail', detail: message, fix: fixOf(code) }]
  }
}

function fixOf(code: string | undefined): string {
  if (code === 'EACCES' || code === 'EPERM') return AS_ITS_USER
  return code === 'ENOTDIR' || code === 'EISDIR' || code === 'ELOOP' || code === 'ENOENT' ? IN_THE_WAY : REPORT
}
